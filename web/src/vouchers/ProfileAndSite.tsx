import type { Voucher } from './voucher.ts';

/** Where and with what a voucher was created: two lines where there is room, otherwise one. */
export const ProfileAndSite = ({ profileName, siteName }: Pick<Voucher, 'profileName' | 'siteName'>) => (
  <span className="voucher-row-more">
    {profileName !== null && (
      <>
        <span>{profileName}</span>
        <span className="voucher-row-dot"> · </span>
      </>
    )}
    <span>{siteName}</span>
  </span>
);
