import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import classes from './SiteChoice.module.css';

/** A site that a controller has, and whether it becomes one of ours. */
export interface SiteOption {
  /** Null for the only or default one of a controller that names none. */
  readonly controllerSite: string | null;
  readonly controllerName: string;
  readonly name: string;
  readonly isChosen: boolean;
  readonly isUsed: boolean;
}

/** The only site is chosen already. A controller that lists no site still has one. */
const optionsOf = (sites: readonly Schemas['OfferedSite'][], name: string): readonly SiteOption[] =>
  sites.length === 0
    ? [{ controllerSite: null, controllerName: name, name, isChosen: true, isUsed: false }]
    : sites.map((site) => ({
        controllerSite: site.id,
        controllerName: site.name,
        // What consoles call their first site says nothing to people.
        name: site.name === 'Default' ? name : site.name,
        isChosen: sites.length === 1 || site.siteId !== null,
        isUsed: site.siteId !== null,
      }));

/** The sites that a test has found, and which of them were chosen. */
export const useSiteOptions = () => {
  const [options, setOptions] = useState<readonly SiteOption[]>([]);
  const offer = useCallback(
    (sites: readonly Schemas['OfferedSite'][], name: string): void => setOptions(optionsOf(sites, name)),
    [],
  );
  return {
    options,
    chosen: options.filter(({ isChosen, isUsed }) => isChosen && !isUsed),
    offer,
    change: (index: number, change: Partial<SiteOption>): void =>
      setOptions((before) => before.map((option, at) => (at === index ? { ...option, ...change } : option))),
  };
};

/** What is sent for the chosen sites. */
export const newSitesOf = (chosen: readonly SiteOption[]): Schemas['NewSites'] => ({
  sites: chosen.map(({ name, controllerSite }) => ({ name, controllerSite })),
});

interface SiteChoiceProps {
  readonly options: readonly SiteOption[];
  onChange(index: number, change: Partial<SiteOption>): void;
}

/** The sites of a controller by tick box, each with the name that it gets. */
export const SiteChoice = ({ options, onChange }: SiteChoiceProps) => {
  const t = useTranslations();
  return (
    <Stack gap="xs" role="group" aria-label={t('controllerSetup.chooseSites')}>
      {options.map((option, index) => (
        <div
          key={option.controllerSite ?? ''}
          className={classes['site']}
          role="group"
          aria-label={option.controllerName}
        >
          <Checkbox
            label={option.controllerName}
            checked={option.isChosen}
            disabled={option.isUsed}
            onChange={({ currentTarget }) => onChange(index, { isChosen: currentTarget.checked })}
          />
          {option.isUsed && (
            <Text size="sm" c="dimmed">
              {t('controllerSetup.siteUsed')}
            </Text>
          )}
          {option.isChosen && !option.isUsed && (
            <TextInput
              label={t('controllerSetup.siteName')}
              value={option.name}
              maxLength={255}
              required
              onChange={({ currentTarget }) => onChange(index, { name: currentTarget.value })}
            />
          )}
        </div>
      ))}
    </Stack>
  );
};
