import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { useDialog } from '../../lib/useDialog.ts';
import { SiteActions } from './SiteActions.tsx';

const ChangeSite = lazyDialog(async () => (await import('./ChangeSite.tsx')).ChangeSite);

type Site = Schemas['Site'];

/** The sites, what is printed for them, and whether vouchers are made for them. */
export const SitesPage = () => {
  const t = useTranslations();
  const sites = api.useQuery('get', '/sites');
  const profiles = api.useQuery('get', '/profiles');
  const { dialog, id: changedId, open, close } = useDialog();
  const profileOf = (id: number | null): string =>
    profiles.data?.profiles.find((profile) => profile.id === id)?.name ?? '–';
  const columns: Column<Site>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: ({ id, name, controllerName }) => (
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {t('sites.siteOf', { id, controller: controllerName })}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'state',
      label: t('sites.state'),
      render: ({ isActive }) => (
        <StateBadge tone={isActive ? 'good' : 'neutral'}>
          {isActive ? t('sites.active') : t('sites.inactive')}
        </StateBadge>
      ),
    },
    { id: 'ssid', label: t('sites.ssid'), render: ({ ssid }) => ssid ?? '–' },
    {
      id: 'profile',
      label: t('sites.profile'),
      render: ({ defaultProfileId }) => profileOf(defaultProfileId),
    },
    {
      id: 'actions',
      label: t('sites.actions'),
      isAction: true,
      render: (site) => <SiteActions site={site} onChange={() => open('change', site.id)} />,
    },
  ];
  return (
    <>
      <PageHeader title={t('sites.title')} description={t('sites.text')} />
      <QueryView query={sites}>
        {(data) => {
          const changed = dialog === 'change' && data.sites.find(({ id }) => id === changedId);
          return (
            <>
              {data.sites.length === 0 ? (
                <EmptyState
                  icon="sites"
                  title={t('sites.emptyTitle')}
                  text={t('sites.emptyText')}
                  action={
                    <Button component={Link} to="/controllers">
                      {t('sites.toControllers')}
                    </Button>
                  }
                />
              ) : (
                <DataTable
                  caption={t('sites.title')}
                  columns={columns}
                  rows={data.sites}
                  idOf={({ id }) => id}
                />
              )}
              {changed && (
                <ChangeSite site={changed} profiles={profiles.data?.profiles ?? []} onClose={close} />
              )}
            </>
          );
        }}
      </QueryView>
    </>
  );
};
