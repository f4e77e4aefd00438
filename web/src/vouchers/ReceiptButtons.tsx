import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../api/schemas.ts';
import { Icon } from '../components/Icon.tsx';
import { useNow } from '../lib/useNow.ts';
import { usePrintReceipts } from './printReceipts.ts';
import { mayBeHandedOut, stateAt, type DeskSite, type Voucher } from './voucher.ts';

interface ReceiptButtonsProps {
  readonly selection: Schemas['VoucherSelection'];
  /** Those of the selection. */
  readonly vouchers: readonly Voucher[];
  readonly printers: DeskSite['printers'];
}

/** A button for each receipt printer of the site, which says how many receipts it prints. */
export const ReceiptButtons = ({ selection, vouchers, printers }: ReceiptButtonsProps) => {
  const t = useTranslations();
  const now = useNow();
  const count = vouchers.filter((voucher) => mayBeHandedOut(stateAt(voucher, now))).length;
  const { pendingId, print } = usePrintReceipts(selection, count);
  if (count === 0) return null;
  return printers.map((printer) => (
    <Button
      key={printer.id}
      variant="default"
      leftSection={<Icon name="receipt" size={18} />}
      loading={pendingId === printer.id}
      onClick={() => print(printer)}
    >
      {t('desk.printOn', { name: printer.name, count })}
    </Button>
  ));
};
