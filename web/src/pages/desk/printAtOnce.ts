import { useEffect, useRef } from 'react';
import type { Schemas } from '../../api/schemas.ts';
import { usePrintReceipts } from '../../vouchers/printReceipts.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';

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
  const { print: printReceipts } = usePrintReceipts();
  const print = useRef<() => void>(() => undefined);
  useEffect(() => {
    print.current = () => {
      const printer = site?.printers.find(({ id }) => id === site.printerId);
      if (site?.printAtOnce === 'browser') onPrint();
      else if (site?.printAtOnce === 'printer' && printer)
        printReceipts(
          printer,
          order.vouchers.map(({ id }) => id),
        );
    };
  });
  const isComplete = order.made > 0 && order.vouchers.length === order.made;
  const isDue = order.state !== 'open' && isComplete && isReady;
  useEffect(() => {
    if (isDue && unprinted.delete(order.id)) print.current();
  }, [isDue, order.id]);
};
