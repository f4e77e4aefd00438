import { MultiSelect, Radio, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';

interface RoleAndSitesProps {
  readonly role: Schemas['Role'];
  readonly siteIds: readonly number[];
  onRole(role: Schemas['Role']): void;
  onSites(siteIds: number[]): void;
}

/** The usual one first. */
const roles = ['staff', 'viewer', 'admin'] as const satisfies readonly Schemas['Role'][];

/** What a user may do, and where. */
export const RoleAndSites = ({ role, siteIds, onRole, onSites }: RoleAndSitesProps) => {
  const t = useTranslations();
  const { data } = api.useQuery('get', '/sites');
  const sites = data?.sites ?? [];
  return (
    <>
      <Radio.Group
        label={t('users.role')}
        value={role}
        onChange={(value) => onRole(roles.find((known) => known === value) ?? 'viewer')}
      >
        <Stack gap="xs" mt={6}>
          {roles.map((known) => (
            <Radio
              key={known}
              value={known}
              label={t(`common.role-${known}`)}
              description={t(`users.${known}Hint`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {role !== 'admin' && (
        <MultiSelect
          label={t('users.sites')}
          description={t('users.sitesHint')}
          placeholder={siteIds.length === 0 ? t('users.chooseSites') : ''}
          data={sites.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={siteIds.map(String)}
          onChange={(ids) => onSites(ids.map(Number))}
          searchable
          hidePickedOptions
          // Above, where it fits: below are the buttons, and the list stays open for the next site.
          comboboxProps={{ position: 'top' }}
          // Once all are chosen there is nothing to open, and nothing lies over the buttons below.
          nothingFoundMessage={sites.every(({ id }) => siteIds.includes(id)) ? undefined : t('users.noSites')}
        />
      )}
      {role !== 'admin' && siteIds.length === 0 && sites.length > 0 && (
        <Text size="sm" role="status">
          {t('users.noSiteWarning')}
        </Text>
      )}
    </>
  );
};
