import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { client } from '../api/api.ts';
import { useNotify } from '../notify/notify.tsx';
import { useGuestLanguage } from './guestLanguage.tsx';
import type { DeskSite, Voucher } from './voucher.ts';

type Printer = DeskSite['printers'][number];

/** The service takes so many receipts at once. */
const maxReceipts = 50;

interface PrintJob {
  readonly printer: Printer;
  readonly voucherIds: readonly Voucher['id'][];
}

/** Prints vouchers on receipt printers, part by part, and says what became of them. */
export const usePrintReceipts = () => {
  const t = useTranslations();
  const notify = useNotify();
  const [language] = useGuestLanguage();
  const printing = useMutation({
    mutationFn: async ({ printer, voucherIds }: PrintJob) => {
      const params = { path: { printerId: printer.id } };
      let isConfirmed = true;
      for (let at = 0; at < voucherIds.length; at += maxReceipts) {
        const part = voucherIds.slice(at, at + maxReceipts);
        const body = { voucherIds: part, orderId: null, language };
        const { data } = await client
          .POST('/printers/{printerId}/receipts', { params, body })
          .catch((error: unknown) => {
            const made = t('desk.progress', { made: at, count: voucherIds.length });
            notify.failedOn(at === 0 ? printer.name : `${printer.name}: ${made}`, error);
            throw error;
          });
        isConfirmed &&= data?.outcome === 'confirmed';
      }
      return isConfirmed;
    },
    onSuccess: (isConfirmed, { printer: { name }, voucherIds: { length: count } }) =>
      isConfirmed
        ? notify.done(t('desk.printedOn', { name, count }))
        : notify.unsure(t('desk.sentTo', { name, count })),
  });
  return {
    /** The printer that is being asked. */
    pendingId: printing.isPending ? printing.variables.printer.id : undefined,
    print: (printer: Printer, voucherIds: PrintJob['voucherIds']): void =>
      printing.mutate({ printer, voucherIds }),
  };
};
