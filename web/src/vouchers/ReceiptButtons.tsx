import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../api/schemas.ts';
import { Icon } from '../components/Icon.tsx';
import { usePrintReceipts } from './printReceipts.ts';
import type { DeskSite } from './voucher.ts';

interface ReceiptButtonsProps {
  readonly selection: Schemas['VoucherSelection'];
  readonly printers: DeskSite['printers'];
}

/** A button for each receipt printer of the site. */
export const ReceiptButtons = ({ selection, printers }: ReceiptButtonsProps) => {
  const t = useTranslations();
  const { pendingId, print } = usePrintReceipts(selection);
  return printers.map((printer) => (
    <Button
      key={printer.id}
      variant="default"
      leftSection={<Icon name="receipt" size={18} />}
      loading={pendingId === printer.id}
      onClick={() => print(printer)}
    >
      {t('desk.printOn', { name: printer.name })}
    </Button>
  ));
};
