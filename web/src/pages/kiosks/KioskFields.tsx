import { Alert, Group, MultiSelect, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import { BackgroundField } from './BackgroundField.tsx';
import { newKioskValues, type KioskFormValues, type KioskSite } from './kioskForm.ts';

interface KioskFieldsProps {
  readonly form: UseFormReturnType<KioskFormValues>;
  readonly sites: readonly KioskSite[];
  readonly hasEmail: boolean;
  readonly hasBackground: boolean;
}

/** Everything that an administrator chooses for a kiosk. */
export const KioskFields = ({ form, sites, hasEmail, hasBackground }: KioskFieldsProps) => {
  const t = useTranslations();
  const site = sites.find(({ id }) => String(id) === form.values.siteId);
  const profiles = site?.profiles ?? [];
  return (
    <>
      <TextInput
        label={t('common.name')}
        description={t('kiosks.nameText')}
        placeholder={site?.name}
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={t('kiosks.site')}
        data={sites.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={form.values.siteId}
        onChange={(event) => {
          const siteId = event.currentTarget.value;
          const { profileIds } = newKioskValues(sites.find(({ id }) => String(id) === siteId));
          // Profiles and printers of another site are not for this one.
          form.setValues({ siteId, profileIds, printerId: '' });
        }}
      />
      {profiles.length > 0 ? (
        <MultiSelect
          label={t('kiosks.profiles')}
          description={t('kiosks.profilesText')}
          data={profiles.map(({ id, name }) => ({ value: String(id), label: name }))}
          maxValues={12}
          searchable
          {...form.getInputProps('profileIds')}
        />
      ) : (
        <Alert color="yellow" icon={<Icon name="warning" />}>
          {t('kiosks.noProfile')}
        </Alert>
      )}
      <NumberInput
        label={t('kiosks.perHour')}
        description={t('kiosks.perHourText')}
        min={1}
        max={10_000}
        allowDecimal={false}
        allowNegative={false}
        required
        {...form.getInputProps('perHour')}
      />
      <DeviceLimit form={form} />
      <NativeSelect
        label={t('kiosks.nameRule')}
        data={[
          { value: 'off', label: t('kiosks.nameOff') },
          { value: 'optional', label: t('kiosks.nameOptional') },
          { value: 'required', label: t('kiosks.nameRequired') },
        ]}
        {...form.getInputProps('nameRule')}
      />
      <Switch
        label={t('kiosks.sendsEmail')}
        description={hasEmail ? t('kiosks.sendsEmailText') : t('errors.email-not-set-up')}
        {...form.getInputProps('sendsEmail', { type: 'checkbox' })}
      />
      <NativeSelect
        label={t('kiosks.printer')}
        description={t('kiosks.printerText')}
        data={[
          { value: '', label: t('kiosks.noPrinter') },
          ...(site?.printers ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...form.getInputProps('printerId')}
      />
      <NumberInput
        label={t('kiosks.idle')}
        description={t('kiosks.idleText')}
        min={10}
        max={600}
        allowDecimal={false}
        allowNegative={false}
        required
        {...form.getInputProps('idleSeconds')}
      />
      <BackgroundField
        values={form.values}
        hasBackground={hasBackground}
        onChange={(values) => form.setValues(values)}
      />
    </>
  );
};

const DeviceLimit = ({ form }: Pick<KioskFieldsProps, 'form'>) => {
  const t = useTranslations();
  return (
    <>
      <Switch
        label={t('kiosks.limitsDevices')}
        description={t('kiosks.limitsDevicesText')}
        {...form.getInputProps('limitsDevices', { type: 'checkbox' })}
      />
      {form.values.limitsDevices && (
        <Group grow align="flex-end">
          <NumberInput
            label={t('kiosks.perDevice')}
            min={1}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
            required
            {...form.getInputProps('perDevice')}
          />
          <NativeSelect
            label={t('kiosks.deviceWindow')}
            data={[
              { value: '5', label: t('kiosks.window-5') },
              { value: '60', label: t('kiosks.window-60') },
              { value: '1440', label: t('kiosks.window-1440') },
            ]}
            {...form.getInputProps('deviceMinutes')}
          />
        </Group>
      )}
    </>
  );
};
