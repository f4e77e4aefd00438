import { Button, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { api, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { ManagedList, type OpenItem } from '../../components/ManagedList.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { lazyDialog } from '../../lib/lazyPart.ts';

const AddKioskDialog = lazyDialog(async () => (await import('./AddKioskDialog.tsx')).AddKioskDialog);

type Kiosk = Schemas['Kiosk'];

/** Tablets where guests take vouchers themselves. */
export const KiosksPage = () => {
  const t = useTranslations();
  const kiosks = api.useQuery('get', '/kiosks');
  const desk = api.useQuery('get', '/desk');
  const sites = desk.data?.sites ?? [];
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
      addDialog={(onClose) => <AddKioskDialog sites={sites} onClose={onClose} />}
      itemDialogs={{ withdraw: (kiosk, onClose) => <WithdrawKiosk kiosk={kiosk} onClose={onClose} /> }}
    />
  );
};

interface KioskTableProps {
  readonly kiosks: readonly Kiosk[];
  readonly open: OpenItem<Kiosk, 'withdraw'>;
}

const KioskTable = ({ kiosks, open }: KioskTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const columns: Column<Kiosk>[] = [
    {
      id: 'site',
      label: t('kiosks.site'),
      render: ({ siteName }) => (
        <Text size="sm" fw={600}>
          {siteName}
        </Text>
      ),
    },
    { id: 'profile', label: t('kiosks.profile'), render: ({ profileName }) => profileName },
    {
      id: 'perHour',
      label: t('kiosks.perHour'),
      isNumber: true,
      render: ({ perHour }) => format.number(perHour),
    },
    {
      id: 'asksName',
      label: t('kiosks.name'),
      render: ({ asksName }) => (asksName ? t('common.yes') : t('common.no')),
    },
    { id: 'by', label: t('kiosks.addedBy'), render: ({ createdBy }) => createdBy },
    { id: 'at', label: t('kiosks.addedAt'), render: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'withdraw',
      label: t('kiosks.withdraw'),
      isAction: true,
      render: (kiosk) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('kiosks.withdrawOf', { site: kiosk.siteName })}
          onClick={() => open('withdraw', kiosk)}
        >
          {t('kiosks.withdraw')}
        </Button>
      ),
    },
  ];
  return <DataTable caption={t('kiosks.title')} columns={columns} rows={kiosks} idOf={({ id }) => id} />;
};

const WithdrawKiosk = ({ kiosk, onClose }: { readonly kiosk: Kiosk; readonly onClose: () => void }) => {
  const t = useTranslations();
  const remove = useRemove({
    remove: () => client.DELETE('/kiosks/{kioskId}', { params: { path: { kioskId: kiosk.id } } }),
    done: t('kiosks.withdrawn', { site: kiosk.siteName }),
    outdated: ['/kiosks'],
    onClose,
  });
  return (
    <LazyConfirmDialog
      title={t('kiosks.withdrawTitle', { site: kiosk.siteName })}
      text={t('kiosks.withdrawText')}
      action={t('kiosks.withdraw')}
      {...remove}
      onClose={onClose}
    />
  );
};
