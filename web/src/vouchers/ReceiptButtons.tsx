import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/Icon.tsx';
import { useNow } from '../lib/useNow.ts';
import { LazyMoreActions } from './dialogs.ts';
import { usePrintReceipts } from './printReceipts.ts';
import { mayBeHandedOut, stateAt, type DeskSite, type Voucher } from './voucher.ts';

type Printer = DeskSite['printers'][number];

interface ReceiptButtonsProps {
  readonly vouchers: readonly Voucher[];
  readonly printers: DeskSite['printers'];
}

/** Receipt printers of the site, and how many receipts they print: a button for the first, a menu for all others. */
export const ReceiptButtons = ({ vouchers, printers }: ReceiptButtonsProps) => {
  const t = useTranslations();
  const now = useNow();
  const { pendingId, print } = usePrintReceipts();
  const usable = vouchers.filter((voucher) => mayBeHandedOut(stateAt(voucher, now)));
  const [first, ...others] = printers;
  if (usable.length === 0 || !first) return null;
  const voucherIds = usable.map(({ id }) => id);
  const labelOf = ({ name }: Printer): string => t('desk.printOn', { name, count: usable.length });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="receipt" size={18} />}
        loading={pendingId === first.id}
        onClick={() => print(first, voucherIds)}
      >
        {labelOf(first)}
      </Button>
      {others.length > 0 && (
        <Suspense>
          <LazyMoreActions
            actions={others.map((printer) => ({
              ...({ id: String(printer.id), icon: 'receipt' } as const),
              label: labelOf(printer),
              isPending: pendingId === printer.id,
              run: () => print(printer, voucherIds),
            }))}
          />
        </Suspense>
      )}
    </>
  );
};
