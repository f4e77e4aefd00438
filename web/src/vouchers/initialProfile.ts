import { areAllowed } from './limits.ts';
import type { DeskSite } from './voucher.ts';

type Profiles = Pick<DeskSite, 'profiles' | 'limitRanges'>;

/** Those whose limits the controller of the site can keep. */
export const orderableProfiles = ({ profiles, limitRanges }: Profiles): DeskSite['profiles'] =>
  limitRanges === null
    ? profiles
    : profiles.filter((profile) => areAllowed(profile, { ranges: limitRanges }));

/** The profile that is chosen before anybody chooses one: the default of the site, or its only one. */
export const initialProfile = ({
  defaultProfileId,
  ...site
}: Profiles & Pick<DeskSite, 'defaultProfileId'>): DeskSite['profiles'][number] | undefined => {
  const orderable = orderableProfiles(site);
  return (
    orderable.find(({ id }) => id === defaultProfileId) ??
    (site.profiles.length === 1 ? orderable[0] : undefined)
  );
};
