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

type Sent = Schemas['SentEmail'] | Schemas['SentSms'];

const tones: Readonly<Record<Sent['state'], Tone>> = { waiting: 'active', sent: 'good', failed: 'bad' };

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
                  <VoucherActions voucher={voucher} site={site} desk={desk} place="dialog" />
                </>
              )}
              {voucher.emails.length > 0 && (
                <SentTable title={t('vouchers.emails')} icon="mail" rows={voucher.emails} />
              )}
              {voucher.sms.length > 0 && (
                <SentTable title={t('vouchers.sms')} icon="sms" rows={voucher.sms} />
              )}
              {role !== 'viewer' && <PrintedSlip voucher={voucher} site={site} />}
            </Stack>
          );
        }}
      </QueryView>
    </Dialog>
  );
};

interface SentTableProps {
  readonly title: string;
  readonly icon: 'mail' | 'sms';
  readonly rows: readonly Sent[];
}

/** E-mails or SMS with the voucher. */
const SentTable = ({ title, icon, rows }: SentTableProps) => {
  const t = useTranslations();
  const pickText = usePickText();
  const columns: Column<Sent>[] = [
    { id: 'to', label: t('vouchers.emailTo'), render: ({ to }) => to },
    {
      id: 'state',
      label: t('vouchers.state'),
      render: ({ state, reason }) => (
        <Stack gap={2}>
          <StateBadge tone={tones[state]} icon={state === 'sent' ? 'check' : icon}>
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
        {title}
      </Title>
      <DataTable caption={title} columns={columns} rows={rows} idOf={({ id }) => id} />
    </section>
  );
};
