import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { useNotify } from '../../notify/notify.tsx';
import { useGuestLanguage } from '../../vouchers/guestLanguage.tsx';
import { selectOrder, type DeskSite } from '../../vouchers/voucher.ts';

/** Orders that were placed in this tab and are not printed yet: those that are only looked at are never printed. */
const unprinted = new Set<string>();

/** Remembers an order that was placed here, so that it is printed once when it is made. */
export const awaitPrint = (orderId: string): void => void unprinted.add(orderId);

interface PrintAtOnceOptions {
  readonly order: Schemas['Order'];
  readonly site: DeskSite | undefined;
  /** Is everything there that the browser prints? */
  readonly isReady: boolean;
  /** Opens what the browser prints. */
  onPrint(): void;
}

/** Prints what was just created, where the site wants that. */
export const usePrintAtOnce = ({ order, site, isReady, onPrint }: PrintAtOnceOptions): void => {
  const t = useTranslations();
  const notify = useNotify();
  const [language] = useGuestLanguage();
  const send = api.useMutation('post', '/printers/{printerId}/receipts', { onError: notify.failed });
  const print = useRef<() => void>(() => undefined);
  useEffect(() => {
    print.current = () => {
      const printer = site?.printers.find(({ id }) => id === site.printerId);
      if (site?.printAtOnce === 'browser') onPrint();
      else if (site?.printAtOnce === 'printer' && printer)
        send.mutate(
          { params: { path: { printerId: printer.id } }, body: { ...selectOrder(order.id), language } },
          {
            onSuccess: ({ outcome }) =>
              outcome === 'confirmed'
                ? notify.done(t('desk.printedOn', { name: printer.name, count: order.made }))
                : notify.unsure(t('desk.sentTo', { name: printer.name, count: order.made })),
          },
        );
    };
  });
  const isDue = order.state !== 'open' && order.made > 0 && isReady;
  useEffect(() => {
    if (isDue && unprinted.delete(order.id)) print.current();
  }, [isDue, order.id]);
};
