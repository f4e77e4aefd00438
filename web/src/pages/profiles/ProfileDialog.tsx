import { SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
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
  const notify = useNotify();
  const checkSites = useCheckSites();
  const form = useForm({
    initialValues: valuesOf(profile),
    onValuesChange: () => forgetError(add, change),
    validate: { siteIds: checkSites },
  });
  const options = {
    onSuccess: ({ name }: Profile): void => {
      notify.done(t('common.saved', { name }));
      onClose();
    },
    onSettled: (): Promise<void> => invalidate('/profiles', '/sites'),
  };
  const add = api.useMutation('post', '/profiles', options);
  const change = api.useMutation('put', '/profiles/{profileId}', options);
  const save = (values: ProfileValues): void => {
    // The fields say what is wrong.
    if (!areAllowed(values)) return;
    const body = bodyOf(values);
    if (profile) change.mutate({ params: { path: { profileId: profile.id } }, body });
    else add.mutate({ body });
  };
  return (
    <SaveDialog
      size="lg"
      title={profile ? t('common.changeTitle', { name: profile.name }) : t('profiles.add')}
      isPending={add.isPending || change.isPending}
      error={add.error ?? change.error}
      onSubmit={form.onSubmit(save)}
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
