import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { ItemMenu, ManagedList, type OpenItem } from '../../components/ManagedList.tsx';
import { useRemove } from '../../components/useSave.ts';
import { useFormat } from '../../i18n/format.ts';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { isSelfService, type OrderLimit } from './limitValues.ts';

const LimitDialog = lazyDialog(async () => (await import('./LimitDialog.tsx')).LimitDialog);

/** What roles may order, everywhere or at a site. */
export const LimitsPage = () => {
  const t = useTranslations();
  const limits = api.useQuery('get', '/order-limits');
  const sites = api.useQuery('get', '/sites').data?.sites ?? [];
  return (
    <ManagedList
      icon="limits"
      texts={{
        title: t('limits.title'),
        text: t('limits.text'),
        add: t('limits.add'),
        emptyTitle: t('limits.emptyTitle'),
        emptyText: t('limits.emptyText'),
      }}
      query={limits}
      itemsOf={(data) => data.limits}
      list={(items, open) => <LimitTable limits={items} sites={sites} open={open} />}
      addDialog={(onClose) => <LimitDialog sites={sites} onClose={onClose} />}
      itemDialogs={{
        change: (limit, onClose) => <LimitDialog limit={limit} sites={sites} onClose={onClose} />,
        remove: (limit, onClose) => <RemoveLimit limit={limit} sites={sites} onClose={onClose} />,
      }}
    />
  );
};

type Sites = readonly Schemas['Site'][];

/** Role and site, which name a rule. */
const useLimitName = (sites: Sites): ((limit: OrderLimit) => string) => {
  const t = useTranslations();
  return ({ role, siteId }) =>
    `${t(`common.role-${role}`)}, ${sites.find(({ id }) => id === siteId)?.name ?? t('profiles.allSites')}`;
};

interface LimitTableProps {
  readonly limits: readonly OrderLimit[];
  readonly sites: Sites;
  readonly open: OpenItem<OrderLimit, 'change' | 'remove'>;
}

const LimitTable = ({ limits, sites, open }: LimitTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const nameOf = useLimitName(sites);
  const most = (value: number | null): string =>
    value === null ? t('profiles.unlimited') : format.number(value);
  const yesOrNo = (is: boolean): string => (is ? t('common.yes') : t('common.no'));
  const columns: Column<OrderLimit>[] = [
    {
      id: 'name',
      label: t('limits.for'),
      render: ({ role, siteId }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {t(`common.role-${role}`)}
          </Text>
          <Text size="xs" c="dimmed">
            {sites.find(({ id }) => id === siteId)?.name ?? t('profiles.allSites')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'custom',
      label: t('limits.custom'),
      render: ({ role, allowsCustom }) => (isSelfService(role) ? '–' : yesOrNo(allowsCustom)),
    },
    {
      id: 'time',
      label: t('limits.time'),
      render: ({ maxExpireMinutes }) =>
        maxExpireMinutes === null ? t('profiles.unlimited') : format.duration(maxExpireMinutes),
    },
    { id: 'uses', label: t('profiles.uses'), isNumber: true, render: ({ maxUses }) => most(maxUses) },
    {
      id: 'count',
      label: t('limits.atOnce'),
      isNumber: true,
      render: ({ role, maxCount }) => (isSelfService(role) ? '–' : most(maxCount)),
    },
    { id: 'perDay', label: t('limits.perDay'), isNumber: true, render: ({ maxPerDay }) => most(maxPerDay) },
    {
      id: 'name-required',
      label: t('limits.needsName'),
      render: ({ role, requiresName }) => (isSelfService(role) ? '–' : yesOrNo(requiresName)),
    },
    {
      id: 'actions',
      label: t('common.actions'),
      isAction: true,
      render: (limit) => (
        <ItemMenu
          item={{ ...limit, name: nameOf(limit) }}
          open={(kind: 'change' | 'remove') => open(kind, limit)}
        />
      ),
    },
  ];
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('limits.orderText')}
      </Text>
      <DataTable caption={t('limits.title')} columns={columns} rows={limits} idOf={({ id }) => id} />
    </Stack>
  );
};

interface RemoveLimitProps {
  readonly limit: OrderLimit;
  readonly sites: Sites;
  onClose(): void;
}

const RemoveLimit = ({ limit, sites, onClose }: RemoveLimitProps) => {
  const t = useTranslations();
  const name = useLimitName(sites)(limit);
  const remove = useRemove({
    remove: () => client.DELETE('/order-limits/{limitId}', { params: { path: { limitId: limit.id } } }),
    done: t('limits.removed'),
    outdated: ['/order-limits', '/desk', '/audit'],
    onClose,
  });
  return (
    <LazyConfirmDialog
      title={t('common.removeTitle', { name })}
      text={limit.siteId === null ? t('limits.removeText') : t('limits.removeSiteText')}
      action={t('common.remove')}
      {...remove}
      onClose={onClose}
    />
  );
};
