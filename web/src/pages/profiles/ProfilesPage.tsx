import { Button, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, type Schemas } from '../../api.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { RowMenu } from '../../components/RowMenu.tsx';
import { useFormat } from '../../format.ts';
import { useNotify } from '../../notify.tsx';
import { invalidate } from '../../queryClient.ts';
import { ProfileDialog } from './ProfileDialog.tsx';
import { dataUnits, speedUnits, unitFor, type Units } from './units.ts';

type Profile = Schemas['Profile'];

type Task = { readonly kind: 'add' } | { readonly kind: 'change' | 'remove'; readonly profile: Profile };

/** The profiles: what vouchers are like, by name. */
export const ProfilesPage = () => {
  const t = useTranslations();
  const profiles = api.useQuery('get', '/profiles');
  const sites = api.useQuery('get', '/sites');
  const [task, setTask] = useState<Task>();
  const end = (): void => setTask(undefined);
  const known = sites.data?.sites ?? [];
  const add = (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setTask({ kind: 'add' })}>
      {t('profiles.add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('profiles.title')} description={t('profiles.text')} actions={add} />
      <QueryView query={profiles}>
        {(data) =>
          data.profiles.length === 0 ? (
            <EmptyState
              icon="profiles"
              title={t('profiles.emptyTitle')}
              text={t('profiles.emptyText')}
              action={add}
            />
          ) : (
            <ProfileTable profiles={data.profiles} sites={known} onTask={setTask} />
          )
        }
      </QueryView>
      {task?.kind === 'add' && <ProfileDialog sites={known} onClose={end} />}
      {task?.kind === 'change' && <ProfileDialog profile={task.profile} sites={known} onClose={end} />}
      {task?.kind === 'remove' && <RemoveProfile profile={task.profile} sites={known} onClose={end} />}
    </>
  );
};

interface ProfileTableProps {
  readonly profiles: readonly Profile[];
  readonly sites: readonly Schemas['Site'][];
  onTask(task: Task): void;
}

const ProfileTable = ({ profiles, sites, onTask }: ProfileTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const amount = (value: number, units: Units): string => {
    const { name, factor } = unitFor(value, units);
    return `${format.number(value / factor)}\u00A0${t(`profiles.unit-${name}`)}`;
  };
  const limitsOf = ({ down, up, quotaMb }: Profile): string[] => [
    ...(down > 0 ? [t('profiles.downLimit', { amount: amount(down, speedUnits) })] : []),
    ...(up > 0 ? [t('profiles.upLimit', { amount: amount(up, speedUnits) })] : []),
    ...(quotaMb > 0 ? [amount(quotaMb, dataUnits)] : []),
  ];
  const sitesOf = ({ siteIds }: Profile): string => {
    if (siteIds === null) return t('profiles.all');
    const names = siteIds.flatMap((siteId) => sites.find(({ id }) => id === siteId)?.name ?? []);
    return names.length <= 2 ? format.list(names) : t('profiles.siteCount', { count: siteIds.length });
  };
  const columns: Column<Profile>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: ({ name }) => (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ),
    },
    {
      id: 'validity',
      label: t('profiles.validity'),
      render: ({ expireMinutes }) => format.duration(expireMinutes),
    },
    {
      id: 'uses',
      label: t('profiles.uses'),
      isNumber: true,
      render: ({ maxUses }) => format.number(maxUses),
    },
    {
      id: 'limits',
      label: t('profiles.limits'),
      render: (profile) => limitsOf(profile).join(' · ') || t('profiles.unlimited'),
    },
    { id: 'sites', label: t('profiles.sites'), render: sitesOf },
    {
      id: 'actions',
      label: t('profiles.actions'),
      isAction: true,
      render: (profile) => (
        <RowMenu label={t('profiles.actionsFor', { name: profile.name })}>
          <Menu.Item onClick={() => onTask({ kind: 'change', profile })}>{t('profiles.change')}</Menu.Item>
          <Menu.Item color="var(--mantine-color-error)" onClick={() => onTask({ kind: 'remove', profile })}>
            {t('profiles.remove')}
          </Menu.Item>
        </RowMenu>
      ),
    },
  ];
  return <DataTable caption={t('profiles.title')} columns={columns} rows={profiles} idOf={({ id }) => id} />;
};

interface RemoveProfileProps {
  readonly profile: Profile;
  readonly sites: readonly Schemas['Site'][];
  onClose(): void;
}

const RemoveProfile = ({ profile, sites, onClose }: RemoveProfileProps) => {
  const t = useTranslations();
  const format = useFormat();
  const notify = useNotify();
  const { id, name } = profile;
  const remove = api.useMutation('delete', '/profiles/{profileId}', {
    onSuccess: () => {
      notify.done(t('profiles.removed', { name }));
      onClose();
    },
    onSettled: () => invalidate('/profiles', '/sites'),
  });
  const users = sites.filter(({ defaultProfileId }) => defaultProfileId === id).map((site) => site.name);
  return (
    <ConfirmDialog
      opened
      title={t('profiles.removeTitle', { name })}
      text={
        users.length > 0
          ? t('profiles.removeDefault', { sites: format.list(users) })
          : t('profiles.removeText')
      }
      action={t('profiles.remove')}
      name={name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { profileId: id } } })}
      onClose={onClose}
    />
  );
};
