import { Group, MultiSelect, Radio } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';

/** For which sites something is, as a form holds it. */
export interface SiteReachValues {
  reach: 'all' | 'some';
  siteIds: string[];
}

type Stored = Schemas['Profile']['siteIds'];

export const toSiteReach = (siteIds: Stored | undefined): SiteReachValues => ({
  reach: siteIds ? 'some' : 'all',
  siteIds: siteIds?.map(String) ?? [],
});

export const fromSiteReach = ({ reach, siteIds }: SiteReachValues): Stored =>
  reach === 'all' ? null : siteIds.map(Number);

/** What is wrong with the choice, for the validation of a form. */
export const useCheckSites = (): ((siteIds: string[], values: SiteReachValues) => string | null) => {
  const t = useTranslations();
  return (siteIds, { reach }) =>
    reach === 'some' && siteIds.length === 0 ? t('errors.sites-required') : null;
};

interface SiteReachProps {
  readonly label: string;
  readonly sites: readonly Schemas['Site'][];
  readonly form: {
    readonly values: SiteReachValues;
    getInputProps(name: keyof SiteReachValues): GetInputPropsReturnType;
  };
}

/** All sites, or some of them. */
export const SiteReach = ({ label, sites, form }: SiteReachProps) => {
  const t = useTranslations();
  return (
    <>
      <Radio.Group label={label} {...form.getInputProps('reach')}>
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
    </>
  );
};
