import { useCallback, useState } from 'react';
import { emptyDraft, type OrderDraft } from './orderDraft.ts';

const draftName = (userId: number): string => `voucherd.order.${String(userId)}`;
const siteName = 'voucherd.site';

const readDraft = (userId: number): OrderDraft => {
  const site = Number(localStorage.getItem(siteName));
  const fresh: OrderDraft = { ...emptyDraft, siteId: site > 0 ? site : null };
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(draftName(userId)) ?? '{}');
    return { ...fresh, ...(stored as Partial<OrderDraft>) };
  } catch {
    return fresh;
  }
};

/**
 * The draft of a user, kept in this tab: it is there again after a reload, or after a session has ended in the middle.
 * The site is remembered in the browser.
 */
export const useOrderDraft = (userId: number) => {
  const [draft, setDraft] = useState(() => readDraft(userId));
  const change = useCallback(
    (changed: Partial<OrderDraft>): void => {
      // Read again, so that what two events of the same moment change is one draft.
      const next = { ...readDraft(userId), ...changed };
      sessionStorage.setItem(draftName(userId), JSON.stringify(next));
      if (next.siteId !== null) localStorage.setItem(siteName, String(next.siteId));
      setDraft(next);
    },
    [userId],
  );
  return { draft, change, read: () => readDraft(userId) };
};
