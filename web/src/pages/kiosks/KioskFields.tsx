import { Alert, Group, MultiSelect, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { serviceUrl } from '../../api/serviceMeta.ts';
import { Icon } from '../../components/Icon.tsx';
import { areAllowed } from '../../vouchers/limits.ts';
import { BackgroundField } from './BackgroundField.tsx';
import { newKioskValues, type KioskFormValues, type KioskSite } from './kioskForm.ts';

interface KioskFieldsProps {
  readonly form: UseFormReturnType<KioskFormValues>;
  readonly sites: readonly KioskSite[];
  readonly hasEmail: boolean;
  readonly hasSms: boolean;
  readonly hasBackground: boolean;
  /** A kiosk does not become a guest page: it has a link that is somewhere. */
  readonly isNew: boolean;
}

/** Everything that an administrator chooses for a kiosk. */
export const KioskFields = ({ form, sites, hasEmail, hasSms, hasBackground, isNew }: KioskFieldsProps) => {
  const t = useTranslations();
  const site = sites.find(({ id }) => String(id) === form.values.siteId);
  const profiles = site?.profiles ?? [];
  const isPublic = form.values.access === 'public';
  return (
    <>
      {isNew && (
        <NativeSelect
          label={t('kiosks.access')}
          description={isPublic ? t('kiosks.accessPublicText') : t('kiosks.accessLinkText')}
          data={[
            { value: 'link', label: t('kiosks.accessLink') },
            { value: 'public', label: t('kiosks.accessPublic') },
          ]}
          value={form.values.access}
          onChange={(event) => {
            const isOpen = event.currentTarget.value === 'public';
            form.setValues({
              access: isOpen ? 'public' : 'link',
              ...(isOpen ? { perDevice: 2, deviceMinutes: '1440' } : { perDevice: 5, deviceMinutes: '5' }),
            });
          }}
        />
      )}
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
          const { profileIds, slug } = newKioskValues(sites.find(({ id }) => String(id) === siteId));
          // Profiles and printers of another site are not for this one.
          form.setValues({ siteId, profileIds, printerId: '', ...(isNew && { slug }) });
        }}
      />
      {isPublic && <PublicFields form={form} />}
      {profiles.length > 0 ? (
        <MultiSelect
          label={t('kiosks.profiles')}
          description={t('kiosks.profilesText')}
          data={profiles.map((profile) => {
            const { id, name } = profile;
            const isKept = areAllowed(profile, { ranges: site?.limitRanges ?? null });
            return {
              value: String(id),
              label: isKept ? name : t('kiosks.profileNotHere', { name }),
              disabled: !isKept,
            };
          })}
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
      {isPublic ? <DeviceLimitFields form={form} /> : <DeviceLimit form={form} />}
      <NativeSelect
        label={t('kiosks.nameRule')}
        description={
          isPublic && form.values.needsApproval && form.values.nameRule === 'off'
            ? t('kiosks.nameForApproval')
            : undefined
        }
        data={[
          { value: 'off', label: t('kiosks.nameOff') },
          { value: 'optional', label: t('kiosks.nameOptional') },
          { value: 'required', label: t('kiosks.nameRequired') },
        ]}
        {...form.getInputProps('nameRule')}
      />
      <Switch
        label={t('kiosks.sendsEmail')}
        description={hasEmail ? t('kiosks.sendsEmailText') : t('kiosks.emailOff')}
        {...form.getInputProps('sendsEmail', { type: 'checkbox' })}
      />
      {/* Nothing is said of SMS before there is a provider. */}
      {(hasSms || form.values.sendsSms) && (
        <Switch
          label={t('kiosks.sendsSms')}
          description={t('kiosks.sendsSmsText')}
          {...form.getInputProps('sendsSms', { type: 'checkbox' })}
        />
      )}
      {!isPublic && <TabletFields form={form} site={site} />}
      <BackgroundField
        values={form.values}
        hasBackground={hasBackground}
        error={form.errors['picture']}
        onChange={(values) => form.setValues(values)}
      />
    </>
  );
};

/** What only a public page has. */
const PublicFields = ({ form }: Pick<KioskFieldsProps, 'form'>) => {
  const t = useTranslations();
  return (
    <>
      <TextInput
        label={t('kiosks.slug')}
        description={t('kiosks.slugText', { address: `${serviceUrl}/guest/${form.values.slug}` })}
        required
        maxLength={40}
        autoComplete="off"
        {...form.getInputProps('slug')}
      />
      <Switch
        label={t('kiosks.needsApproval')}
        description={t('kiosks.needsApprovalText')}
        {...form.getInputProps('needsApproval', { type: 'checkbox' })}
      />
    </>
  );
};

type TabletFieldsProps = Pick<KioskFieldsProps, 'form'> & {
  readonly site: KioskSite | undefined;
};

/** What only a tablet has, which one guest after the other uses. */
const TabletFields = ({ form, site }: TabletFieldsProps) => {
  const t = useTranslations();
  return (
    <>
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
      {form.values.limitsDevices && <DeviceLimitFields form={form} />}
    </>
  );
};

const DeviceLimitFields = ({ form }: Pick<KioskFieldsProps, 'form'>) => {
  const t = useTranslations();
  return (
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
  );
};
