import {
  Button,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  Radio,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { api, type Schemas } from '../../api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useFormat } from '../../format.ts';
import { useNotify } from '../../notify.tsx';
import { invalidate } from '../../queryClient.ts';
import { UnitInput } from './UnitInput.tsx';
import { dataUnits, durationUnits, speedUnits } from './units.ts';

type Profile = Schemas['Profile'];

/** The largest number that the service stores. */
const maxNumber = 2_147_483_647;

interface ProfileValues extends Omit<Schemas['NewProfile'], 'siteIds'> {
  reach: 'all' | 'some';
  siteIds: string[];
}

const valuesOf = (profile: Profile | undefined): ProfileValues => ({
  name: profile?.name ?? '',
  maxUses: profile?.maxUses ?? 1,
  expireMinutes: profile?.expireMinutes ?? 1440,
  down: profile?.down ?? 0,
  up: profile?.up ?? 0,
  quotaMb: profile?.quotaMb ?? 0,
  reach: profile?.siteIds ? 'some' : 'all',
  siteIds: profile?.siteIds?.map(String) ?? [],
});

const bodyOf = ({ reach, siteIds, ...values }: ProfileValues): Schemas['NewProfile'] => ({
  ...values,
  siteIds: reach === 'all' ? null : siteIds.map(Number),
});

interface ProfileDialogProps {
  /** Without one, a new profile is made. */
  readonly profile?: Profile | undefined;
  readonly sites: readonly Schemas['Site'][];
  onClose(): void;
}

/** Makes or changes a profile, in units that people use. */
export const ProfileDialog = ({ profile, sites, onClose }: ProfileDialogProps) => {
  const t = useTranslations();
  const format = useFormat();
  const notify = useNotify();
  const isPhone = useMediaQuery('(max-width: 48em)');
  const isNumber = (least: number) => (value: number | string) =>
    typeof value === 'number' && value >= least && value <= maxNumber ? null : t('errors.number-invalid');
  const form = useForm({
    initialValues: valuesOf(profile),
    validate: {
      maxUses: isNumber(1),
      expireMinutes: isNumber(1),
      down: isNumber(0),
      up: isNumber(0),
      quotaMb: isNumber(0),
      siteIds: (siteIds, { reach }) =>
        reach === 'some' && siteIds.length === 0 ? t('errors.sites-required') : null,
    },
  });
  const amountProps = (name: 'expireMinutes' | 'down' | 'up' | 'quotaMb') => ({
    value: form.values[name],
    error: form.errors[name],
    onChange: (amount: number): void => form.setFieldValue(name, amount),
  });
  const onSettled = (): Promise<void> => invalidate('/profiles', '/sites');
  const onSuccess = ({ name }: Profile): void => {
    notify.done(t('profiles.saved', { name }));
    onClose();
  };
  const add = api.useMutation('post', '/profiles', { onSuccess, onSettled });
  const change = api.useMutation('put', '/profiles/{profileId}', { onSuccess, onSettled });
  const save = (values: ProfileValues): void => {
    const body = bodyOf(values);
    if (profile) change.mutate({ params: { path: { profileId: profile.id } }, body });
    else add.mutate({ body });
  };
  const error = add.error ?? change.error;
  return (
    <Modal
      opened
      size="lg"
      fullScreen={isPhone}
      closeOnClickOutside={false}
      title={profile ? t('profiles.changeTitle', { name: profile.name }) : t('profiles.add')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onClose}
    >
      <form onSubmit={form.onSubmit(save)}>
        <Stack>
          <TextInput
            label={t('common.name')}
            description={t('profiles.nameText')}
            required
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <UnitInput
              label={t('profiles.validity')}
              description={t('profiles.validityText', {
                duration: format.duration(form.values.expireMinutes),
              })}
              units={durationUnits}
              required
              {...amountProps('expireMinutes')}
            />
            <NumberInput
              label={t('profiles.uses')}
              description={t('profiles.usesText')}
              min={1}
              max={maxNumber}
              allowDecimal={false}
              allowNegative={false}
              required
              {...form.getInputProps('maxUses')}
            />
            <UnitInput
              label={t('profiles.down')}
              placeholder={t('profiles.unlimited')}
              units={speedUnits}
              {...amountProps('down')}
            />
            <UnitInput
              label={t('profiles.up')}
              placeholder={t('profiles.unlimited')}
              units={speedUnits}
              {...amountProps('up')}
            />
            <UnitInput
              label={t('profiles.data')}
              placeholder={t('profiles.unlimited')}
              units={dataUnits}
              {...amountProps('quotaMb')}
            />
          </SimpleGrid>
          <Radio.Group label={t('profiles.sites')} {...form.getInputProps('reach')}>
            <Group mt="xs">
              <Radio value="all" label={t('profiles.allSites')} />
              <Radio value="some" label={t('profiles.someSites')} />
            </Group>
          </Radio.Group>
          {form.values.reach === 'some' && (
            <MultiSelect
              label={t('profiles.chooseSites')}
              data={sites.map(({ id, name }) => ({ value: String(id), label: name }))}
              searchable
              {...form.getInputProps('siteIds')}
            />
          )}
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={add.isPending || change.isPending}>
              {t('profiles.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
