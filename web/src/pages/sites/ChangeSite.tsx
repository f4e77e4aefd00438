import { Button, Group, Select, Stack, Tabs, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Waiting } from '../../components/QueryView.tsx';
import { api, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError } from '../../api/queryClient.ts';
import { lazyPart } from '../../lib/lazyPart.ts';
import { base64Of } from '../../lib/dataUrl.ts';
import { useLogo } from './logo.ts';
import { maxSsidBytes, siteFormValues, toSiteChange, type SiteFormValues } from './siteForm.ts';

const WifiFields = lazyPart(async () => (await import('./WifiFields.tsx')).WifiFields);
const SlipFields = lazyPart(async () => (await import('./SlipFields.tsx')).SlipFields);

interface ChangeSiteProps {
  readonly site: Schemas['Site'];
  readonly profiles: readonly Schemas['Profile'][];
  /** What is seen first. */
  readonly firstPart?: SitePart;
  onClose(): void;
}

const parts = ['General', 'Wifi', 'Slips'] as const;
type SitePart = (typeof parts)[number];

/** Where the fields are, so that an error is seen. */
const partOf: Readonly<Partial<Record<keyof SiteFormValues, SitePart>>> = {
  name: 'General',
  ssid: 'Wifi',
  wifiPassword: 'Wifi',
};

/** Everything of a site, one part at a time; all parts are saved together. */
export const ChangeSite = ({ site, profiles, firstPart = 'General', onClose }: ChangeSiteProps) => {
  const t = useTranslations();
  const [part, setPart] = useState<string | null>(firstPart);
  const [hasMoved, setMoved] = useState(false);
  const form = useForm<SiteFormValues>({
    initialValues: siteFormValues(site),
    onValuesChange: () => forgetError(save),
    validate: {
      name: (name) => (name.trim() === '' ? t('errors.name-invalid') : null),
      ssid: (ssid) =>
        new TextEncoder().encode(ssid.trim()).length > maxSsidBytes ? t('sites.error-ssid-invalid') : null,
      wifiPassword: (password, { ssid, wifiKind }) => {
        if (ssid.trim() === '' || wifiKind === 'open') return null;
        if (password === '') return site.hasWifiPassword ? null : t('sites.error-wifi-password-required');
        return /^(?:[ -~]{8,63}|[0-9A-Fa-f]{64})$/.test(password)
          ? null
          : t('sites.error-wifi-password-invalid');
      },
    },
  });
  const stored = useLogo(site.id, site.hasLogo);
  // Undefined is: as it is stored.
  const [chosenLogo, setChosenLogo] = useState<string | null>();
  const logo = chosenLogo === undefined ? (site.hasLogo ? (stored.data ?? null) : null) : chosenLogo;
  const save = useSave({
    save: async (values: SiteFormValues) => {
      const params = { path: { siteId: site.id } };
      await client.PATCH('/sites/{siteId}', { params, body: toSiteChange(values, siteFormValues(site)) });
      if (chosenLogo)
        await client.PUT('/sites/{siteId}/logo', { params, body: { image: base64Of(chosenLogo) } });
      else if (chosenLogo === null && site.hasLogo) await client.DELETE('/sites/{siteId}/logo', { params });
    },
    done: ({ name }) => t('sites.changed', { name: name.trim() }),
    outdated: ['/sites', '/sites/{siteId}/logo', '/controllers', '/overview', '/desk'],
    onClose,
  });
  const printers = api.useQuery('get', '/printers').data?.printers ?? [];
  const offered = profiles.filter(({ siteIds }) => siteIds === null || siteIds.includes(site.id));
  const showFirstError = (errors: typeof form.errors): void => {
    const [field] = Object.keys(errors) as (keyof SiteFormValues)[];
    if (field) setPart(partOf[field] ?? 'General');
  };
  return (
    <Dialog
      size="xl"
      fullScreenBelow="48em"
      guard="click"
      title={t('sites.changeTitle', { name: site.name })}
      onClose={onClose}
    >
      {/* Fields of a part that is not shown can't have the browser's own hints. */}
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values), showFirstError)}>
        <Stack gap="lg">
          <Tabs
            value={part}
            onChange={(next) => {
              setMoved(true);
              setPart(next);
            }}
            keepMounted={false}
          >
            <Tabs.List aria-label={t('sites.parts')} mb="md">
              {parts.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {t(`sites.tab${name}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Suspense fallback={<Waiting lines={3} />}>
              <Tabs.Panel value="General">
                <Stack>
                  <TextInput
                    label={t('common.name')}
                    required
                    maxLength={255}
                    data-autofocus
                    {...form.getInputProps('name')}
                  />
                  <Select
                    label={t('sites.profile')}
                    description={t('sites.profileText')}
                    placeholder={t('sites.noProfile')}
                    data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
                    clearable
                    clearButtonProps={{ 'aria-label': t('sites.noProfile') }}
                    {...form.getInputProps('profileId')}
                  />
                </Stack>
              </Tabs.Panel>
              <Tabs.Panel value="Wifi">
                <WifiFields
                  form={form}
                  hasPassword={site.hasWifiPassword}
                  isAskedFor={firstPart === 'Wifi' && !hasMoved}
                />
              </Tabs.Panel>
              <Tabs.Panel value="Slips">
                <SlipFields
                  form={form}
                  logo={logo}
                  printers={printers.filter(({ siteIds }) => siteIds?.includes(site.id) !== false)}
                  onLogo={(chosen) => {
                    forgetError(save);
                    setChosenLogo(chosen);
                  }}
                />
              </Tabs.Panel>
            </Suspense>
          </Tabs>
          {save.error && <ErrorAlert error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('sites.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
