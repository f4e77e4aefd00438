import type { GuestTexts } from '../i18n/guestTexts.js';
import type { SiteDetails } from '../sites/siteTable.js';
import { formatCode, toTypedName } from '../vouchers/record.js';
import type { StoredVoucher } from '../vouchers/view.js';
import type { PrintedLogo } from './printedLogo.js';

/**
 * What a guest is handed: everything that is printed of one voucher, in the order in which it is read. `pdf/slipLayout.ts`
 * and `receipts/receipt.ts` print it.
 */
export interface VoucherSlip {
  readonly siteName: string;
  readonly logo: PrintedLogo | undefined;
  /** Label and name of the wireless network, where there is one. */
  readonly network: { readonly label: string; readonly ssid: string } | undefined;
  /** Joins the network, or holds the code where the site has none. */
  readonly qrText: string;
  readonly codeLabel: string;
  readonly formattedCode: string;
  readonly validity: string;
  readonly uses: string;
  readonly steps: readonly string[];
  readonly slipText: string | null;
  /** For whom it is, as it was typed: staff hand the right slip to the right guest by it. Null where nothing was. */
  readonly name: string | null;
}

/** What of a site is printed. */
export type SlipSite = Pick<SiteDetails, 'name' | 'ssid' | 'slipText'> & {
  readonly logo: PrintedLogo | undefined;
};

type PrintedVoucher = Pick<StoredVoucher, 'code' | 'name' | 'maxUses' | 'expireMinutes'>;

export const toVoucherSlip = (voucher: PrintedVoucher, site: SlipSite, texts: GuestTexts): VoucherSlip => {
  const { ssid } = site;
  return {
    siteName: site.name,
    logo: site.logo,
    network: ssid === null ? undefined : { label: texts.get('network'), ssid },
    qrText: ssid === null ? voucher.code : toWifiJoinText(ssid),
    codeLabel: texts.get('code'),
    formattedCode: formatCode(voucher.code),
    validity: texts.validity(voucher.expireMinutes),
    uses: texts.uses(voucher.maxUses),
    steps: [
      ssid === null ? texts.get('stepConnect') : texts.get('stepJoin', { network: ssid }),
      texts.get('stepEnter'),
    ],
    slipText: site.slipText,
    name: toTypedName(voucher.name) || null,
  };
};

/** What a camera joins an open wireless network by. Characters that mean something in it are escaped. */
export const toWifiJoinText = (ssid: string): string =>
  `WIFI:T:nopass;S:${ssid.replaceAll(/[\\;,:"]/g, '\\$&')};;`;
