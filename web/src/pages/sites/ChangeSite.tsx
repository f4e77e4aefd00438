import { Button, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { forgetError } from '../../api/queryClient.ts';
import { base64Of } from '../../lib/dataUrl.ts';
import { useLogo } from './logo.ts';
import { LogoField } from './LogoField.tsx';
import { SlipPreview } from './SlipPreview.tsx';

interface SiteFormValues {
  readonly name: string;
  readonly ssid: string;
  readonly slipText: string;
  readonly profileId: string | null;
}

interface ChangeSiteProps {
  readonly site: Schemas['Site'];
  readonly profiles: readonly Schemas['Profile'][];
  onClose(): void;
}

const maxSlipCharacters = 1000;
/** The name of a network is this long at most, in bytes. */
const maxSsidBytes = 32;

/** Name, network, slip and default profile of a site. */
export const ChangeSite = ({ site, profiles, onClose }: ChangeSiteProps) => {
  const t = useTranslations();
  const form = useForm<SiteFormValues>({
    initialValues: {
      name: site.name,
      ssid: site.ssid ?? '',
      slipText: site.slipText ?? '',
      profileId: site.defaultProfileId === null ? null : String(site.defaultProfileId),
    },
    onValuesChange: () => forgetError(save),
    validate: {
      ssid: (ssid) =>
        new TextEncoder().encode(ssid.trim()).length > maxSsidBytes ? t('errors.ssid-invalid') : null,
    },
  });
  const stored = useLogo(site.id, site.hasLogo);
  // Undefined is: as it is stored.
  const [chosenLogo, setChosenLogo] = useState<string | null>();
  const logo = chosenLogo === undefined ? (site.hasLogo ? (stored.data ?? null) : null) : chosenLogo;
  const save = useSave({
    save: async ({ name, ssid, slipText, profileId }: SiteFormValues) => {
      const params = { path: { siteId: site.id } };
      await client.PATCH('/sites/{siteId}', {
        params,
        body: {
          name,
          ssid: ssid.trim() || null,
          slipText: slipText.trim() || null,
          defaultProfileId: profileId === null ? null : Number(profileId),
        },
      });
      if (chosenLogo)
        await client.PUT('/sites/{siteId}/logo', { params, body: { image: base64Of(chosenLogo) } });
      else if (chosenLogo === null && site.hasLogo) await client.DELETE('/sites/{siteId}/logo', { params });
    },
    done: ({ name }) => t('sites.changed', { name: name.trim() }),
    outdated: ['/sites', '/sites/{siteId}/logo', '/controllers', '/overview'],
    onClose,
  });
  const offered = profiles.filter(({ siteIds }) => siteIds === null || siteIds.includes(site.id));
  return (
    <Dialog
      size="xl"
      fullScreenBelow="48em"
      guard="click"
      title={t('sites.changeTitle', { name: site.name })}
      onClose={onClose}
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
            <Stack>
              <TextInput
                label={t('common.name')}
                required
                maxLength={255}
                data-autofocus
                {...form.getInputProps('name')}
              />
              <TextInput
                label={t('sites.ssid')}
                description={t('sites.ssidText')}
                maxLength={maxSsidBytes}
                autoComplete="off"
                {...form.getInputProps('ssid')}
              />
              <Textarea
                label={t('sites.slipText')}
                description={t('sites.slipTextText')}
                rows={4}
                maxLength={maxSlipCharacters}
                {...form.getInputProps('slipText')}
              />
              <LogoField
                hasLogo={logo !== null}
                onChange={(chosen) => {
                  forgetError(save);
                  setChosenLogo(chosen);
                }}
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
            <SlipPreview
              name={form.values.name}
              ssid={form.values.ssid}
              slipText={form.values.slipText}
              logo={logo}
            />
          </SimpleGrid>
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
