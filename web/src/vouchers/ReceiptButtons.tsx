import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../api/api.ts';
import type { Schemas } from '../api/schemas.ts';
import { Icon } from '../components/Icon.tsx';
import { useNotify } from '../notify/notify.tsx';
import { useGuestLanguage } from './guestLanguage.tsx';
import type { DeskSite } from './voucher.ts';

interface ReceiptButtonsProps {
  readonly selection: Schemas['VoucherSelection'];
  readonly printers: DeskSite['printers'];
}

/** A button for each receipt printer of the site. */
export const ReceiptButtons = ({ selection, printers }: ReceiptButtonsProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const [language] = useGuestLanguage();
  const print = api.useMutation('post', '/printers/{printerId}/receipts', { onError: notify.failed });
  return printers.map(({ id, name }) => (
    <Button
      key={id}
      variant="default"
      leftSection={<Icon name="receipt" size={18} />}
      loading={print.isPending && print.variables.params.path.printerId === id}
      onClick={() =>
        print.mutate(
          { params: { path: { printerId: id } }, body: { ...selection, language } },
          {
            onSuccess: ({ outcome }) =>
              outcome === 'confirmed'
                ? notify.done(t('desk.printedOn', { name }))
                : notify.unsure(t('desk.sentTo', { name })),
          },
        )
      }
    >
      {t('desk.printOn', { name })}
    </Button>
  ));
};
