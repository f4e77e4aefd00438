import { NativeSelect, NumberInput, Radio, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { client } from '../../api/api.ts';
import { forgetError } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import { useSave } from '../../components/useSave.ts';
import { UnitInput } from '../../vouchers/UnitInput.tsx';
import { durationUnits } from '../../vouchers/units.ts';
import {
  fromLimitValues,
  isSelfService,
  limitedRoles,
  toLimitValues,
  type LimitValues,
  type OrderLimit,
} from './limitValues.ts';

interface LimitDialogProps {
  /** Without one, a rule is added. */
  readonly limit?: OrderLimit | undefined;
  readonly sites: readonly Schemas['Site'][];
  onClose(): void;
}

/** The largest numbers that the service takes. */
const mostUses = 2_147_483_647;
const mostPerDay = 1_000_000;
const mostCount = 500;

/** Adds or changes what a role may order. */
export const LimitDialog = ({ limit, sites, onClose }: LimitDialogProps) => {
  const t = useTranslations();
  const form = useForm({
    initialValues: toLimitValues(limit),
    onValuesChange: () => forgetError(save),
    validate: {
      maxExpireMinutes: (minutes) =>
        Number.isNaN(minutes)
          ? t('limits.zero')
          : Number.isInteger(minutes) && minutes <= mostUses
            ? null
            : t('errors.number-invalid'),
    },
  });
  const save = useSave({
    save: (values: LimitValues) => {
      const body = fromLimitValues(values);
      return limit
        ? client.PUT('/order-limits/{limitId}', { params: { path: { limitId: limit.id } }, body })
        : client.POST('/order-limits', { body });
    },
    done: ({ role }) => t('limits.saved', { role: t(`common.role-${role}`) }),
    outdated: ['/order-limits', '/desk', '/audit'],
    onClose,
  });
  const { role, maxExpireMinutes } = form.values;
  const number = (name: 'maxUses' | 'maxCount' | 'maxPerDay', min: number, max: number) => (
    <NumberInput
      label={t(`limits.${name}`)}
      description={t(`limits.${name}Text`)}
      placeholder={t('profiles.unlimited')}
      min={min}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      {...form.getInputProps(name)}
    />
  );
  return (
    <SaveDialog
      size="lg"
      title={limit ? t('limits.change') : t('limits.add')}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <Radio.Group label={t('limits.role')} {...form.getInputProps('role')}>
        <Stack gap="xs" mt={6}>
          {limitedRoles.map((name) => (
            <Radio
              key={name}
              value={name}
              label={t(`common.role-${name}`)}
              description={t(`limits.role-${name}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={t('limits.site')}
        description={t('limits.siteText')}
        data={[
          { value: '', label: t('profiles.allSites') },
          ...sites.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...form.getInputProps('siteId')}
      />
      {!isSelfService(role) && (
        <Switch
          label={t('limits.allowsCustom')}
          description={t('limits.allowsCustomText')}
          {...form.getInputProps('allowsCustom', { type: 'checkbox' })}
        />
      )}
      <UnitInput
        label={t('limits.maxExpireMinutes')}
        description={t('limits.maxExpireMinutesText')}
        placeholder={t('profiles.unlimited')}
        refusesZero
        units={durationUnits}
        value={maxExpireMinutes}
        error={form.errors['maxExpireMinutes']}
        onChange={(minutes) => form.setFieldValue('maxExpireMinutes', minutes)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {number('maxUses', 1, mostUses)}
        {!isSelfService(role) && number('maxCount', 1, mostCount)}
        {number('maxPerDay', 0, mostPerDay)}
      </SimpleGrid>
      {isSelfService(role) ? (
        <Text size="sm" c="dimmed">
          {t('limits.kioskText')}
        </Text>
      ) : (
        <Switch
          label={t('limits.requiresName')}
          description={t('limits.requiresNameText')}
          {...form.getInputProps('requiresName', { type: 'checkbox' })}
        />
      )}
    </SaveDialog>
  );
};
