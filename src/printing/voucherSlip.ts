import { isolateLeftToRight, type TextDirection } from '../i18n/guestLanguages.js';
import type { GuestTexts } from '../i18n/guestTexts.js';
import type { SiteDetails } from '../sites/siteTable.js';
import { fillOwnText, type OwnTexts, type PlaceholderValues } from '../sites/ownTexts.js';
import type { WifiNetwork } from '../sites/wifi.js';
import { toTypedName } from '../lib/label.js';
import { formatCode } from '../vouchers/record.js';
import type { StoredVoucher } from '../vouchers/view.js';
import { isPrintable } from './printableText.js';
import type { PrintedLogo } from './printedLogo.js';
import { toSteps } from './standardTexts.js';

/**
 * What a guest is handed: everything that is printed of one voucher, in the order in which it is read.
 * `pdf/slipLayout.ts` and `receipts/receipt.ts` print it.
 */
export interface VoucherSlip {
  /** In which it is read. */
  readonly direction: TextDirection;
  /** What stands between a label and its value. */
  readonly colon: string;
  readonly siteName: string;
  readonly heading: string;
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
  /** Empty where it is not known. */
  readonly validity: string;
  readonly uses: string;
  /** Speed and data; null where they are not limited. */
  readonly limits: string | null;
  /**
   * Validity, uses and limits, at first with a line for each, then in ever less room:
   * a small label has all of them, too.
   */
  readonly facts: readonly string[];
  /** What the guest does, on several lines. */
  readonly steps: string;
  readonly slipText: string | null;
  /** The site's own texts of e-mails, filled in. */
  readonly email: Pick<OwnTexts, 'emailSubject' | 'emailText' | 'emailClosing'>;
  /** The site's own text of SMS, filled in. */
  readonly smsText: string | undefined;
  /**
   * For whom it is, as it was typed: staff hand the right
   * slip to the right guest by it. Null where nothing was.
   */
  readonly name: string | null;
  /** Says what stands for letters that can't be printed; null where all can be. */
  readonly missingNote: string | null;
}

/** What of a site is printed. */
export type SlipSite = Pick<SiteDetails, 'name' | 'slipText'> & {
  /** Its own texts in the language of the guest. */
  readonly own?: OwnTexts;
  readonly network: WifiNetwork | undefined;
  readonly logo: PrintedLogo | undefined;
};

type PrintedVoucher = Pick<StoredVoucher, 'code' | 'name' | 'maxUses' | 'expireMinutes'> &
  Partial<Pick<StoredVoucher, 'down' | 'up' | 'quotaMb' | 'codeBlock'>>;

export const toVoucherSlip = (voucher: PrintedVoucher, site: SlipSite, texts: GuestTexts): VoucherSlip => {
  const { ssid, password = null, joinText } = site.network ?? {};
  const typedName = toTypedName(voucher.name);
  const limits = texts.limits(voucher);
  const duration = texts.duration(voucher.expireMinutes);
  const validity = texts.validity(voucher.expireMinutes);
  const uses = texts.uses(voucher.maxUses);
  const values: PlaceholderValues = {
    site: site.name,
    wifi: ssid ?? '',
    password: password ?? '',
    code: formatCode(voucher.code, voucher.codeBlock),
    name: typedName,
    time: duration,
    devices: voucher.maxUses === 0 ? '' : texts.number(voucher.maxUses),
    limits: limits?.replaceAll('\n', ', ') ?? '',
  };
  const fill = (name: keyof OwnTexts, given = values): string | undefined => {
    const text = site.own?.[name];
    return text === undefined ? undefined : fillOwnText(text, given);
  };
  const written = {
    heading: fill('slipHeading') || site.name,
    steps:
      fill('slipSteps') ??
      toSteps(texts, [
        joinText == null ? texts.get('stepConnect') : texts.get('stepJoin', { network: ssid ?? '' }),
        texts.get('stepEnter'),
      ]),
    slipText: fill('slipText') ?? site.slipText,
    name: typedName || null,
  };
  const isWhole = [...Object.values(written), ssid].every((text) => isPrintable(text ?? ''));
  return {
    ...written,
    direction: texts.direction,
    colon: texts.colon,
    siteName: site.name,
    logo: site.logo,
    network: ssid === undefined ? undefined : { label: texts.get('network'), ssid },
    password: password === null ? undefined : { label: texts.get('password'), text: password },
    qrText: joinText ?? voucher.code,
    doesQrJoin: joinText != null,
    codeLabel: texts.get('code'),
    formattedCode: formatCode(voucher.code, voucher.codeBlock),
    validity,
    uses,
    limits,
    facts: toFacts(validity, duration, [uses, ...(limits?.split('\n') ?? [])], texts.short(voucher)),
    missingNote: isWhole ? null : texts.get('missing'),
    smsText: fill('smsText', withPlainBlanks(values)),
    email: pickDefined({
      emailSubject: fill('emailSubject'),
      emailText: fill('emailText'),
      emailClosing: fill('emailClosing'),
    }),
  };
};

/** Lines end behind a dot, and not before it. */
const inOneLine = (parts: readonly string[]): string => parts.filter(Boolean).join('\u00A0· ');

const toFacts = (
  validity: string,
  duration: string,
  others: readonly string[],
  short: readonly string[],
): string[] => [
  [validity, ...others].filter(Boolean).join('\n'),
  [validity, inOneLine(others.map((part) => part.replaceAll(' ', '\u00A0')))].filter(Boolean).join('\n'),
  inOneLine([duration, ...others]),
  inOneLine(short),
];

/** A name or a password behind its label. It is read from the left in any text, character by character. */
export const labelled = (
  { direction, colon }: Pick<VoucherSlip, 'direction' | 'colon'>,
  label: string,
  text: string,
): string => `${label}${colon} ${direction === 'rtl' ? isolateLeftToRight(text) : text}`;

/** An SMS with a blank that does not break holds less than half. */
const withPlainBlanks = ({ time, devices, limits, ...others }: PlaceholderValues): PlaceholderValues => {
  const [plainTime = '', plainDevices = '', plainLimits = ''] = [time, devices, limits].map((text) =>
    text?.replaceAll(/[\u00A0\u202F]/g, ' '),
  );
  return { ...others, time: plainTime, devices: plainDevices, limits: plainLimits };
};

/** Without those that are not there. */
const pickDefined = (texts: { readonly [Name in keyof OwnTexts]: string | undefined }): OwnTexts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
