import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { DeskSearch } from '../../vouchers/deskSearch.ts';
import { readDeskSearch } from '../../vouchers/deskSearch.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import { emptyDraft, type OrderDraft } from './orderDraft.ts';

/** The draft that an address asks for. A profile that is not offered at the site is left for somebody to choose. */
export const draftOfSearch = (
  { name, siteId, profile, ...limits }: DeskSearch,
  sites: readonly DeskSite[],
): Partial<OrderDraft> => {
  const site = sites.find(({ id }) => id === siteId);
  const chosen = site?.profiles.find((offered) => offered.name === profile);
  const { maxUses, expireMinutes, down = 0, up = 0, quotaMb = 0 } = limits;
  return {
    ...emptyDraft,
    ...(site && { siteId: site.id }),
    name: name ?? '',
    ...(chosen && { choice: chosen.id }),
    ...(maxUses !== undefined &&
      expireMinutes !== undefined && {
        choice: 'own',
        limits: { maxUses, expireMinutes, down, up, quotaMb },
      }),
  };
};

/** Fills in the form as the address asks for, once: afterwards the address is that of the empty form. */
export const useFilledForm = (
  { orderId }: Pick<OrderDraft, 'orderId'>,
  change: (changed: Partial<OrderDraft>) => void,
  sites: readonly DeskSite[],
  onFilled: () => void,
): void => {
  const navigate = useNavigate();
  const search = readDeskSearch({ ...useSearch({ from: '/desk' }) });
  const wanted = JSON.stringify(search);
  // An order that was sent keeps what it was sent with until its outcome is known.
  const isFree = orderId === null;
  const fill = useEffectEvent((): void => {
    if (!isFree || wanted === '{}') return;
    change(draftOfSearch(search, sites));
    onFilled();
    void navigate({ to: '/desk', search: {}, replace: true });
  });
  useEffect(() => fill(), [wanted, isFree]);
};
