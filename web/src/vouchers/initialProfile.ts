import type { DeskSite } from './voucher.ts';

/** The profile that is chosen before anybody chooses one: the default of the site, or its only one. */
export const initialProfile = ({
  profiles,
  defaultProfileId,
}: Pick<DeskSite, 'profiles' | 'defaultProfileId'>): DeskSite['profiles'][number] | undefined =>
  profiles.find(({ id }) => id === defaultProfileId) ?? (profiles.length === 1 ? profiles[0] : undefined);
