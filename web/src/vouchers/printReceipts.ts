import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../api/api.ts';
import type { Schemas } from '../api/schemas.ts';
import { useNotify } from '../notify/notify.tsx';
import { useGuestLanguage } from './guestLanguage.tsx';
import type { DeskSite } from './voucher.ts';

type Printer = DeskSite['printers'][number];

/** Prints so many vouchers on receipt printers, and says what became of it. */
export const usePrintReceipts = (selection: Schemas['VoucherSelection'], count = 1) => {
  const t = useTranslations();
  const notify = useNotify();
  const [language] = useGuestLanguage();
  const names = useRef(new Map<Printer['id'], string>());
  const printing = api.useMutation('post', '/printers/{printerId}/receipts', {
    onError: (error: unknown, { params }: { params: { path: { printerId: number } } }) =>
      notify.failedOn(names.current.get(params.path.printerId) ?? t('common.failed'), error),
  });
  return {
    /** The printer that is being asked. */
    pendingId: printing.isPending ? printing.variables.params.path.printerId : undefined,
    print: ({ id, name }: Printer): void => {
      names.current.set(id, name);
      printing.mutate(
        { params: { path: { printerId: id } }, body: { ...selection, language } },
        {
          onSuccess: ({ outcome }) =>
            outcome === 'confirmed'
              ? notify.done(t('desk.printedOn', { name, count }))
              : notify.unsure(t('desk.sentTo', { name, count })),
        },
      );
    },
  };
};
