import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';

interface RoleAndSitesProps {
  readonly role: Schemas['Role'];
  readonly siteIds: readonly number[];
  onRole(role: Schemas['Role']): void;
  onSites(siteIds: number[]): void;
}

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
        onChange={(value) => onRole(value === 'admin' ? 'admin' : 'staff')}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="staff" label={t('common.role-staff')} description={t('users.staffHint')} />
          <Radio value="admin" label={t('common.role-admin')} description={t('users.adminHint')} />
        </Stack>
      </Radio.Group>
      {role === 'staff' && (
        <MultiSelect
          label={t('users.sites')}
          description={t('users.sitesHint')}
          placeholder={siteIds.length === 0 ? t('users.chooseSites') : ''}
          data={sites.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={siteIds.map(String)}
          onChange={(ids) => onSites(ids.map(Number))}
          searchable
          hidePickedOptions
          // Once all are chosen there is nothing to open, and nothing lies over the buttons below.
          nothingFoundMessage={sites.every(({ id }) => siteIds.includes(id)) ? undefined : t('users.noSites')}
        />
      )}
    </>
  );
};
