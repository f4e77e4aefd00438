import { Anchor, Menu, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { api, client } from '../../api/api.ts';
import { basePath } from '../../api/serviceMeta.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { ManagedList, type OpenItem } from '../../components/ManagedList.tsx';
import { RowMenu } from '../../components/RowMenu.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { shownName, type Kiosk } from './kioskForm.ts';

const AddKioskDialog = lazyDialog(async () => (await import('./KioskDialog.tsx')).AddKioskDialog);
const ChangeKioskDialog = lazyDialog(async () => (await import('./KioskDialog.tsx')).ChangeKioskDialog);
const RenewKioskLink = lazyDialog(async () => (await import('./RenewKioskLink.tsx')).RenewKioskLink);

/** Tablets where guests take vouchers themselves. */
export const KiosksPage = () => {
  const t = useTranslations();
  const kiosks = api.useQuery('get', '/kiosks');
  const desk = api.useQuery('get', '/desk');
  const sites = desk.data?.sites ?? [];
  const shared = { sites, hasEmail: desk.data?.hasEmail ?? false, hasSms: desk.data?.sms != null };
  return (
    <ManagedList
      icon="kiosks"
      texts={{
        title: t('kiosks.title'),
        text: t('kiosks.text'),
        add: t('kiosks.add'),
        emptyTitle: t('kiosks.emptyTitle'),
        emptyText: t('kiosks.emptyText'),
      }}
      query={kiosks}
      canAdd={sites.length > 0}
      itemsOf={(data) => data.kiosks}
      list={(items, open) => <KioskTable kiosks={items} open={open} />}
      addDialog={(onClose) => <AddKioskDialog {...shared} onClose={onClose} />}
      itemDialogs={{
        change: (kiosk, onClose) =>
          sites.length > 0 && <ChangeKioskDialog {...shared} kiosk={kiosk} onClose={onClose} />,
        renew: (kiosk, onClose) => <RenewKioskLink kiosk={kiosk} onClose={onClose} />,
        withdraw: (kiosk, onClose) => <WithdrawKiosk kiosk={kiosk} onClose={onClose} />,
      }}
    />
  );
};

interface KioskTableProps {
  readonly kiosks: readonly Kiosk[];
  readonly open: OpenItem<Kiosk, 'change' | 'renew' | 'withdraw'>;
}

const KioskTable = ({ kiosks, open }: KioskTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const columns: Column<Kiosk>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: (kiosk) => (
        <Text size="sm" fw={600}>
          {shownName(kiosk)}
        </Text>
      ),
    },
    {
      id: 'access',
      label: t('kiosks.access'),
      render: ({ slug, needsApproval }) =>
        slug === null ? (
          t('kiosks.accessLink')
        ) : (
          <div>
            <Anchor href={`${basePath}/guest/${slug}`} target="_blank" size="sm">
              {`/guest/${slug}`}
            </Anchor>
            {needsApproval && (
              <Text size="xs" c="dimmed">
                {t('kiosks.approvalAsked')}
              </Text>
            )}
          </div>
        ),
    },
    { id: 'site', label: t('kiosks.site'), render: ({ siteName }) => siteName },
    {
      id: 'profiles',
      label: t('kiosks.profiles'),
      render: ({ profileNames }) => format.list(profileNames),
    },
    {
      id: 'perHour',
      label: t('kiosks.perHour'),
      isNumber: true,
      render: ({ perHour }) => format.number(perHour),
    },
    { id: 'by', label: t('kiosks.addedBy'), render: ({ createdBy }) => createdBy },
    { id: 'at', label: t('kiosks.addedAt'), render: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'actions',
      label: t('common.actions'),
      isAction: true,
      render: (kiosk) => (
        <RowMenu label={t('common.actionsFor', { name: shownName(kiosk) })}>
          <Menu.Item onClick={() => open('change', kiosk)}>{t('common.change')}</Menu.Item>
          {kiosk.slug === null && (
            <Menu.Item onClick={() => open('renew', kiosk)}>{t('kiosks.renew')}</Menu.Item>
          )}
          <Menu.Item color="var(--mantine-color-error)" onClick={() => open('withdraw', kiosk)}>
            {t('kiosks.withdraw')}
          </Menu.Item>
        </RowMenu>
      ),
    },
  ];
  return <DataTable caption={t('kiosks.title')} columns={columns} rows={kiosks} idOf={({ id }) => id} />;
};

const WithdrawKiosk = ({ kiosk, onClose }: { readonly kiosk: Kiosk; readonly onClose: () => void }) => {
  const t = useTranslations();
  const name = shownName(kiosk);
  const isPublic = kiosk.slug !== null;
  const remove = useRemove({
    remove: () => client.DELETE('/kiosks/{kioskId}', { params: { path: { kioskId: kiosk.id } } }),
    done: isPublic ? t('kiosks.withdrawnPublic', { name }) : t('kiosks.withdrawn', { name }),
    outdated: ['/kiosks'],
    onClose,
  });
  return (
    <LazyConfirmDialog
      title={isPublic ? t('kiosks.withdrawTitlePublic', { name }) : t('kiosks.withdrawTitle', { name })}
      text={isPublic ? t('kiosks.withdrawTextPublic') : t('kiosks.withdrawText')}
      action={t('kiosks.withdraw')}
      {...remove}
      onClose={onClose}
    />
  );
};
