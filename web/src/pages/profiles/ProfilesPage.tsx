import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { api, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { ItemMenu, ManagedList, type OpenItem } from '../../components/ManagedList.tsx';
import { useFormat } from '../../i18n/format.ts';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { useSpeedAndDataText } from '../../vouchers/speedAndData.ts';

const ProfileDialog = lazyDialog(async () => (await import('./ProfileDialog.tsx')).ProfileDialog);

type Profile = Schemas['Profile'];

/** The profiles: what vouchers are like, by name. */
export const ProfilesPage = () => {
  const t = useTranslations();
  const profiles = api.useQuery('get', '/profiles');
  const sites = api.useQuery('get', '/sites').data?.sites ?? [];
  return (
    <ManagedList
      icon="profiles"
      texts={{
        title: t('profiles.title'),
        text: t('profiles.text'),
        add: t('profiles.add'),
        emptyTitle: t('profiles.emptyTitle'),
        emptyText: t('profiles.emptyText'),
      }}
      query={profiles}
      itemsOf={(data) => data.profiles}
      list={(items, open) => <ProfileTable profiles={items} sites={sites} open={open} />}
      addDialog={(onClose) => <ProfileDialog sites={sites} onClose={onClose} />}
      itemDialogs={{
        change: (profile, onClose) => <ProfileDialog profile={profile} sites={sites} onClose={onClose} />,
        remove: (profile, onClose) => <RemoveProfile profile={profile} sites={sites} onClose={onClose} />,
      }}
    />
  );
};

interface ProfileTableProps {
  readonly profiles: readonly Profile[];
  readonly sites: readonly Schemas['Site'][];
  readonly open: OpenItem<Profile, 'change' | 'remove'>;
}

const ProfileTable = ({ profiles, sites, open }: ProfileTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const speedAndData = useSpeedAndDataText();
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
      render: speedAndData,
    },
    { id: 'sites', label: t('profiles.sites'), render: sitesOf },
    {
      id: 'actions',
      label: t('common.actions'),
      isAction: true,
      render: (profile) => <ItemMenu item={profile} open={open} />,
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
  const { id, name } = profile;
  const remove = useRemove({
    remove: () => client.DELETE('/profiles/{profileId}', { params: { path: { profileId: id } } }),
    done: t('common.removed', { name }),
    outdated: ['/profiles', '/sites'],
    onClose,
  });
  const users = sites.filter(({ defaultProfileId }) => defaultProfileId === id).map((site) => site.name);
  return (
    <LazyConfirmDialog
      title={t('common.removeTitle', { name })}
      text={
        users.length > 0
          ? t('profiles.removeDefault', { sites: format.list(users) })
          : t('profiles.removeText')
      }
      action={t('common.remove')}
      name={name}
      {...remove}
      onClose={onClose}
    />
  );
};
