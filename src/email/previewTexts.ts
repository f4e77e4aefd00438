import { buffer } from 'node:stream/consumers';
import { Refusal } from '../errors/problem.js';
import { guestLanguages } from '../i18n/guestLanguages.js';
import { loadGuestTexts, type GuestLanguage } from '../i18n/guestTexts.js';
import type { Clock } from '../lib/system.js';
import type { PrepareLogo } from '../printing/printedLogo.js';
import { findCommonLogo, toPaperLayout } from '../printing/printing.js';
import { standardTextsOf } from '../printing/standardTexts.js';
import { toVoucherSlip, type VoucherSlip } from '../printing/voucherSlip.js';
import type { SiteLogoTable } from '../sites/logoTable.js';
import {
  fillKioskTexts,
  findTextProblems,
  toOwnTexts,
  type KioskTexts,
  type OwnTexts,
  type OwnTextsByLanguage,
  type TextProblem,
} from '../sites/ownTexts.js';
import { allSites, type OwnTextTable } from '../sites/ownTextTable.js';
import type { SlipPaperName } from '../sites/sitePrinting.js';
import type { SiteDetails, SiteTable } from '../sites/siteTable.js';
import type { OpenNetworks } from '../sites/wifi.js';
import { countSmsParts } from '../sms/smsLength.js';
import { composeVoucherSms } from '../sms/voucherSms.js';

/** What guests would get, made by what makes it for guests. */
export interface TextPreview {
  readonly slip: VoucherSlip;
  readonly email: { readonly subject: string; readonly text: string; readonly html: string };
  /** With how many SMS it is sent as. */
  readonly sms: { readonly text: string; readonly parts: number };
  readonly kiosk: KioskTexts;
  /** The slip on paper, where a paper was named. */
  readonly pdf: Buffer | null;
}

interface PreviewRequest {
  /** Or `allSites`, which is shown for the first site. */
  readonly siteId: number;
  readonly language: GuestLanguage;
  readonly texts: OwnTexts;
  readonly paper: SlipPaperName | null;
}

export interface TextPreviews {
  /**
   * What stands where a site has no own texts: those for all
   * sites, or else the standard ones, with placeholders.
   */
  standard(siteId: number): Promise<OwnTextsByLanguage>;
  /** Throws `Refusal`. */
  make(request: PreviewRequest): Promise<TextPreview | { readonly problems: readonly TextProblem[] }>;
}

interface TextPreviewsDeps {
  readonly sites: Pick<SiteTable, 'details'>;
  readonly siteLogos: Pick<SiteLogoTable, 'find'>;
  readonly ownTexts: Pick<OwnTextTable, 'find'>;
  readonly openNetworks: OpenNetworks;
  readonly prepareLogo: PrepareLogo;
  readonly clock: Clock;
  readonly readBrand: Parameters<typeof findCommonLogo>[0];
}

/** A voucher that nobody has. */
const example = {
  code: '1234567890',
  maxUses: 2,
  expireMinutes: 1440,
  down: 20_000,
  up: 5000,
  quotaMb: 1000,
};
const exampleNames: Readonly<Record<GuestLanguage, string>> = {
  de: 'Zimmer 12',
  en: 'Room 12',
  cs: 'Pokoj 12',
  da: 'Værelse 12',
  es: 'Habitación 12',
  fa: 'اتاق ۱۲',
  fi: 'Huone 12',
  fr: 'Chambre 12',
  it: 'Camera 12',
  nl: 'Kamer 12',
  pl: 'Pokój 12',
  pt: 'Quarto 12',
  'pt-BR': 'Quarto 12',
  ru: 'Номер 12',
  sr: 'Соба 12',
};

export const makeTextPreviews = (deps: TextPreviewsDeps): TextPreviews => {
  const findSite = async (siteId: number): Promise<SiteDetails> => {
    const sites = await deps.sites.details();
    const site = siteId === allSites ? sites[0] : sites.find(({ id }) => id === siteId);
    if (!site) throw new Refusal('unknown-site', 'there is no such site', 'missing');
    return site;
  };
  return {
    standard: async (siteId) => {
      const forAll = siteId === allSites ? {} : ((await deps.ownTexts.find([allSites])).get(allSites) ?? {});
      return Object.fromEntries(
        guestLanguages.map((language) => [
          language,
          { ...standardTextsOf(loadGuestTexts(language)), ...forAll[language] },
        ]),
      );
    },
    make: async ({ siteId, language, texts: given, paper }) => {
      const problems = findTextProblems({ [language]: given });
      if (problems.length > 0) return { problems };
      const [site, texts] = [await findSite(siteId), loadGuestTexts(language)];
      const checked = toOwnTexts({ [language]: given })[language] ?? {};
      const forAll =
        siteId === allSites ? {} : (await deps.ownTexts.find([allSites])).get(allSites)?.[language];
      const own = { ...forAll, ...checked };
      const network = (await deps.openNetworks([site])).get(site.id);
      const stored = site.hasLogo ? await deps.siteLogos.find(site.id) : undefined;
      const logo = site.hasLogo
        ? stored && (await deps.prepareLogo(stored))
        : await findCommonLogo(deps.readBrand, deps.prepareLogo);
      const voucher = { ...example, name: exampleNames[language] };
      const slipSite = { ...site, network, own, logo };
      const slip = toVoucherSlip(voucher, slipSite, texts);
      const { composeVoucherEmail, withPictures } = await import('./voucherEmail.js');
      const email = composeVoucherEmail(slip, texts);
      const smsText = composeVoucherSms(slip);
      const values = {
        site: site.name,
        wifi: site.ssid ?? '',
        time: texts.duration(example.expireMinutes),
        devices: texts.number(example.maxUses),
        limits: texts.limits(example)?.replaceAll('\n', ', ') ?? '',
      };
      return {
        slip,
        email: { subject: email.subject, text: email.text, html: withPictures(email) },
        sms: { text: smsText, parts: countSmsParts(smsText) },
        kiosk: fillKioskTexts(own, values),
        pdf: paper && (await drawSlip(slip, paper, deps.clock)),
      };
    },
  };
};

const drawSlip = async (slip: VoucherSlip, paper: SlipPaperName, clock: Clock): Promise<Buffer> => {
  const { makeVoucherPdf } = await import('../printing/pdf/voucherPdf.js');
  return buffer(await makeVoucherPdf([slip], toPaperLayout(paper), new Date(clock.now())));
};
