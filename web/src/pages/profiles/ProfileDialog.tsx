import { SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import { forgetError } from '../../api/queryClient.ts';
import { LimitFields } from '../../vouchers/LimitFields.tsx';
import { areAllowed } from '../../vouchers/limits.ts';
import { fromSiteReach, SiteReach, toSiteReach, useCheckSites, type SiteReachValues } from './SiteReach.tsx';

type Profile = Schemas['Profile'];

interface ProfileValues extends Required<Omit<Schemas['NewProfile'], 'siteIds'>>, SiteReachValues {}

const valuesOf = (profile: Profile | undefined): ProfileValues => ({
  name: profile?.name ?? '',
  maxUses: profile?.maxUses ?? 1,
  expireMinutes: profile?.expireMinutes ?? 1440,
  down: profile?.down ?? 0,
  up: profile?.up ?? 0,
  quotaMb: profile?.quotaMb ?? 0,
  ...toSiteReach(profile?.siteIds),
});

const bodyOf = ({ reach, siteIds, ...values }: ProfileValues): Schemas['NewProfile'] => ({
  ...values,
  siteIds: fromSiteReach({ reach, siteIds }),
});

interface ProfileDialogProps {
  /** Without one, a new profile is made. */
  readonly profile?: Profile | undefined;
  readonly sites: readonly Schemas['Site'][];
  onClose(): void;
}

/** Makes or changes a profile. */
export const ProfileDialog = ({ profile, sites, onClose }: ProfileDialogProps) => {
  const t = useTranslations();
  const checkSites = useCheckSites();
  const form = useForm({
    initialValues: valuesOf(profile),
    onValuesChange: () => forgetError(save),
    validate: { siteIds: checkSites },
  });
  const save = useSave({
    save: (values: ProfileValues) => {
      const body = bodyOf(values);
      return profile
        ? client.PUT('/profiles/{profileId}', { params: { path: { profileId: profile.id } }, body })
        : client.POST('/profiles', { body });
    },
    done: ({ name }) => t('common.saved', { name: name.trim() }),
    outdated: ['/profiles', '/sites'],
    onClose,
  });
  return (
    <SaveDialog
      size="lg"
      title={profile ? t('common.changeTitle', { name: profile.name }) : t('profiles.add')}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => {
        // The fields say what is wrong.
        if (areAllowed(values)) save.mutate(values);
      })}
      onClose={onClose}
    >
      <TextInput
        label={t('common.name')}
        description={t('profiles.nameText')}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LimitFields value={form.values} onChange={form.setValues} />
      </SimpleGrid>
      <SiteReach label={t('profiles.sites')} sites={sites} form={form} />
    </SaveDialog>
  );
};
