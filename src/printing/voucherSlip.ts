import type { GuestTexts } from '../i18n/guestTexts.js';
import type { SiteDetails } from '../sites/siteTable.js';
import type { WifiNetwork } from '../sites/wifi.js';
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
  /** Label and password of the wireless network, where it has one. */
  readonly password: { readonly label: string; readonly text: string } | undefined;
  /** Joins the network, or holds the code where that is not possible. */
  readonly qrText: string;
  readonly doesQrJoin: boolean;
  readonly codeLabel: string;
  readonly formattedCode: string;
  readonly validity: string;
  readonly uses: string;
  /** Speed and data; null where they are not limited. */
  readonly limits: string | null;
  readonly steps: readonly string[];
  readonly slipText: string | null;
  /** For whom it is, as it was typed: staff hand the right slip to the right guest by it. Null where nothing was. */
  readonly name: string | null;
}

/** What of a site is printed. */
export type SlipSite = Pick<SiteDetails, 'name' | 'slipText'> & {
  readonly network: WifiNetwork | undefined;
  readonly logo: PrintedLogo | undefined;
};

type PrintedVoucher = Pick<StoredVoucher, 'code' | 'name' | 'maxUses' | 'expireMinutes'> &
  Partial<Pick<StoredVoucher, 'down' | 'up' | 'quotaMb'>>;

export const toVoucherSlip = (voucher: PrintedVoucher, site: SlipSite, texts: GuestTexts): VoucherSlip => {
  const { ssid, password = null, joinText } = site.network ?? {};
  return {
    siteName: site.name,
    logo: site.logo,
    network: ssid === undefined ? undefined : { label: texts.get('network'), ssid },
    password: password === null ? undefined : { label: texts.get('password'), text: password },
    qrText: joinText ?? voucher.code,
    doesQrJoin: joinText != null,
    codeLabel: texts.get('code'),
    formattedCode: formatCode(voucher.code),
    validity: texts.validity(voucher.expireMinutes),
    uses: texts.uses(voucher.maxUses),
    limits: texts.limits(voucher),
    steps: [
      joinText == null ? texts.get('stepConnect') : texts.get('stepJoin', { network: ssid ?? '' }),
      texts.get('stepEnter'),
    ],
    slipText: site.slipText,
    name: toTypedName(voucher.name) || null,
  };
};
