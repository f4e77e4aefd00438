import { Divider, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { StateBadge, type Tone } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { usePickText } from '../../i18n/language.tsx';
import { useCurrentUser } from '../../session/session.ts';
import { PrintedSlip } from '../../vouchers/PrintedSlip.tsx';
import { VoucherActions } from '../../vouchers/VoucherActions.tsx';
import { VoucherCard } from '../../vouchers/VoucherCard.tsx';
import { isMachine } from '../../vouchers/voucher.ts';

type Email = Schemas['SentEmail'];

const tones: Readonly<Record<Email['state'], Tone>> = { waiting: 'active', sent: 'good', failed: 'bad' };

interface VoucherDialogProps {
  readonly voucherId: number;
  readonly desk: Schemas['Desk'] | undefined;
  onClose(): void;
}

/** All that is known of a voucher, and what can be done with it. */
export const VoucherDialog = ({ voucherId, desk, onClose }: VoucherDialogProps) => {
  const t = useTranslations();
  const format = useFormat();
  const { role } = useCurrentUser();
  const details = api.useQuery('get', '/vouchers/{voucherId}', { params: { path: { voucherId } } });
  return (
    <Dialog size="xl" onClose={onClose} title={t('vouchers.details')}>
      <QueryView query={details}>
        {(voucher) => {
          const site = desk?.sites.find(({ id }) => id === voucher.siteId);
          const time = format.dateTime(voucher.createdAt);
          return (
            <Stack>
              <VoucherCard voucher={voucher} site={site} hidesCode={role === 'viewer'} />
              <Text size="sm" c="dimmed">
                {[
                  voucher.createdBy === null
                    ? t('vouchers.createdAt', { time })
                    : t('vouchers.createdAtBy', { time, name: voucher.createdBy }),
                  ...(isMachine(voucher.creatorKind) ? [t(`vouchers.creator-${voucher.creatorKind}`)] : []),
                  ...(voucher.profileName === null ? [] : [voucher.profileName]),
                ].join(' · ')}
              </Text>
              {role !== 'viewer' && (
                <>
                  <Divider />
                  <VoucherActions
                    voucher={voucher}
                    site={site}
                    hasEmail={desk?.hasEmail ?? false}
                    place="dialog"
                  />
                </>
              )}
              {voucher.emails.length > 0 && <EmailTable emails={voucher.emails} />}
              {role !== 'viewer' && <PrintedSlip voucher={voucher} site={site} />}
            </Stack>
          );
        }}
      </QueryView>
    </Dialog>
  );
};

const EmailTable = ({ emails }: { readonly emails: readonly Email[] }) => {
  const t = useTranslations();
  const pickText = usePickText();
  const columns: Column<Email>[] = [
    { id: 'to', label: t('vouchers.emailTo'), render: ({ to }) => to },
    {
      id: 'state',
      label: t('vouchers.state'),
      render: ({ state, reason }) => (
        <Stack gap={2}>
          <StateBadge tone={tones[state]} icon={state === 'sent' ? 'check' : 'mail'}>
            {t(`vouchers.email-${state}`)}
          </StateBadge>
          {reason !== null && (
            <Text size="xs" c="dimmed">
              {pickText(reason)}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'at', label: t('vouchers.emailAt'), render: ({ at }) => <Time at={at} /> },
  ];
  return (
    <section>
      <Title order={3} fz="h5" mb="xs">
        {t('vouchers.emails')}
      </Title>
      <DataTable caption={t('vouchers.emails')} columns={columns} rows={emails} idOf={({ id }) => id} />
    </section>
  );
};
