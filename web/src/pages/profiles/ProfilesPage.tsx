import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { api, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { ManagedList } from '../../components/ManagedList.tsx';
import { useFormat } from '../../i18n/format.ts';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { ProfileTable } from './ProfileTable.tsx';

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
      list={(items, open) => (
        <ProfileTable
          list={{ profiles: [...items], revision: profiles.data?.revision ?? 0 }}
          sites={sites}
          open={open}
        />
      )}
      addDialog={(onClose) => <ProfileDialog sites={sites} onClose={onClose} />}
      itemDialogs={{
        change: (profile, onClose) => <ProfileDialog profile={profile} sites={sites} onClose={onClose} />,
        remove: (profile, onClose) => <RemoveProfile profile={profile} sites={sites} onClose={onClose} />,
      }}
    />
  );
};

interface RemoveProfileProps {
  readonly profile: Profile;
  readonly sites: readonly Schemas['Site'][];
  onClose(): void;
}

const RemoveProfile = ({ profile, sites, onClose }: RemoveProfileProps) => {
  const t = useTranslations();
  const format = useFormat();
  const { id, name, isDefault } = profile;
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
      text={[
        t('profiles.removeText'),
        ...(isDefault ? [t('profiles.removeDefault')] : []),
        ...(users.length > 0 ? [t('profiles.removeSiteDefault', { sites: format.list(users) })] : []),
      ].join(' ')}
      action={t('common.remove')}
      name={name}
      {...remove}
      onClose={onClose}
    />
  );
};
