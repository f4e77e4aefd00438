import { Button, Stack, Text, Menu } from '@mantine/core';
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
import { SyncItem } from '../../components/SyncItem.tsx';
import { RowMenu } from '../../components/RowMenu.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';

const ForeignVouchers = lazyDialog(async () => (await import('./ForeignVouchers.tsx')).ForeignVouchers);
const ChangeSite = lazyDialog(async () => (await import('./ChangeSite.tsx')).ChangeSite);
const ChangeTexts = lazyDialog(async () => (await import('./ChangeTexts.tsx')).ChangeTexts);

type Site = Schemas['Site'];

/** The sites, what is printed for them, and whether vouchers are created for them. */
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
      render: (site) => (
        <SiteActions
          site={site}
          onChange={() => open('change', site.id)}
          onForeign={() => open('foreign', site.id)}
          onTexts={() => open('texts', site.id)}
        />
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title={t('sites.title')}
        description={t('sites.text')}
        actions={
          (sites.data?.sites.length ?? 0) > 0 && (
            <Button variant="default" onClick={() => open('texts')}>
              {t('sites.textsForAll')}
            </Button>
          )
        }
      />
      <QueryView query={sites}>
        {(data) => {
          const foreign = dialog === 'foreign' && data.sites.find(({ id }) => id === changedId);
          const textsOf = data.sites.find(({ id }) => id === changedId);
          const changed =
            (dialog === 'change' || dialog === 'wifi') && data.sites.find(({ id }) => id === changedId);
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
              {foreign && <ForeignVouchers site={foreign} onClose={close} />}
              {dialog === 'texts' && <ChangeTexts site={textsOf} onClose={close} />}
              {changed && (
                <ChangeSite
                  site={changed}
                  profiles={profiles.data?.profiles ?? []}
                  firstPart={dialog === 'wifi' ? 'Wifi' : 'General'}
                  onClose={close}
                />
              )}
            </>
          );
        }}
      </QueryView>
    </>
  );
};

interface SiteActionsProps {
  readonly site: Schemas['Site'];
  onChange(): void;
  onForeign(): void;
  onTexts(): void;
}

/** Opens the settings of a site, and switches it on or off, which can be undone. */
const SiteActions = ({ site, onChange, onForeign, onTexts }: SiteActionsProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id: siteId, name, isActive } = site;
  const change = api.useMutation('patch', '/sites/{siteId}', {
    onError: notify.failed,
    onSettled: () => invalidate('/sites', '/controllers', '/overview'),
  });
  const setActive = (next: boolean, onSuccess?: () => void): void =>
    change.mutate(
      { params: { path: { siteId } }, body: { isActive: next } },
      { ...(onSuccess && { onSuccess }) },
    );
  const toggle = (): void =>
    setActive(!isActive, () =>
      notify.undoable(t(isActive ? 'sites.switchedOff' : 'sites.switchedOn', { name }), () =>
        setActive(isActive),
      ),
    );
  return (
    <RowMenu label={t('sites.actionsFor', { name })}>
      <Menu.Item onClick={onChange}>{t('sites.change')}</Menu.Item>
      <Menu.Item onClick={onTexts}>{t('sites.texts')}</Menu.Item>
      <SyncItem controllerId={site.controllerId} />
      <Menu.Item onClick={onForeign}>{t('sites.foreign')}</Menu.Item>
      <Menu.Item onClick={toggle}>{isActive ? t('sites.switchOff') : t('sites.switchOn')}</Menu.Item>
    </RowMenu>
  );
};
