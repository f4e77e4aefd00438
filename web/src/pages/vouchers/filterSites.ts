import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { useCurrentUser } from '../../session/session.ts';

/** A site that vouchers can be looked for by, with its profiles. */
export interface FilterSite {
  readonly id: number;
  readonly name: string;
  readonly profiles: readonly { readonly id: number; readonly name: string }[];
}

/** The sites of the front desk; for viewers, who have none, those that they see. */
export const useFilterSites = (desk: Schemas['Desk'] | undefined): readonly FilterSite[] => {
  const enabled = useCurrentUser().role === 'viewer';
  const sites = api.useQuery('get', '/sites', {}, { enabled });
  const profiles = api.useQuery('get', '/profiles', {}, { enabled });
  if (!enabled) return desk?.sites ?? [];
  return (sites.data?.sites ?? []).map(({ id, name }) => ({
    id,
    name,
    profiles: (profiles.data?.profiles ?? []).filter(({ siteIds }) => siteIds?.includes(id) !== false),
  }));
};
