import type { Readable } from 'node:stream';
import type { components } from '../../generated/web.js';
import { loadGuestTexts, type GuestLanguage } from '../i18n/guestTexts.js';
import type { EmailBrand } from '../branding/branding.js';
import { Problem, Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import type { SiteLogoTable } from '../sites/logoTable.js';
import { mergeOwnTexts } from '../sites/ownTexts.js';
import type { SlipPaperName } from '../sites/sitePrinting.js';
import { allSites, type OwnTextTable } from '../sites/ownTextTable.js';
import type { OpenNetworks } from '../sites/wifi.js';
import type { SelectWithSites, SelectedVoucher, VoucherViewer } from '../vouchers/selection.js';
import {
  isLabelPaper,
  isRollPaper,
  isSheetPaper,
  isSlipPaper,
  labelSheets,
  type LabelPaper,
} from './pdf/papers.js';
import type { PdfLayout } from './pdf/voucherPdf.js';
import type { PrepareLogo, PrintedLogo } from './printedLogo.js';
import { toVoucherSlip, type VoucherSlip } from './voucherSlip.js';

type PrintRequest = components['schemas']['PrintRequest'];

/** Prints vouchers. All throw `Refusal`. */
export interface Printing {
  toPdf(
    request: PrintRequest & { readonly language: GuestLanguage },
    viewer: VoucherViewer,
  ): Promise<Readable>;
  /** The words of one slip. */
  toSlip(voucherId: number, language: GuestLanguage, viewer: VoucherViewer): Promise<VoucherSlip>;
}

export const makePrinting = (select: SelectWithSites, makeSlips: MakeSlips, clock: Clock): Printing => ({
  toPdf: async (request, viewer) => {
    const layout = toLayout(request);
    const slips = await makeSlips(await select(request, viewer), request.language);
    // Loaded when it is used: most services print rarely, and fonts and PDF take time and memory.
    const { makeVoucherPdf } = await import('./pdf/voucherPdf.js');
    return makeVoucherPdf(slips, layout, new Date(clock.now()));
  },
  toSlip: async (voucherId, language, viewer) => {
    const [slip] = await makeSlips(await select({ voucherIds: [voucherId] }, viewer), language);
    if (!slip) throw new Problem('not_found');
    return slip;
  },
});

/** What is printed of vouchers, in a language. */
export type MakeSlips = (
  selected: readonly SelectedVoucher[],
  language: GuestLanguage,
) => Promise<VoucherSlip[]>;

interface MakeSlipsDeps {
  readonly siteLogos: Pick<SiteLogoTable, 'find'>;
  readonly openNetworks: OpenNetworks;
  readonly ownTexts: Pick<OwnTextTable, 'find'>;
  readonly prepareLogo: PrepareLogo;
  readonly readBrand: ReadBrand;
}

/** The logo of the web UI. */
type ReadBrand = () => Promise<Pick<EmailBrand, 'logo'>>;

/**
 * What slips and e-mails of sites without a logo show: the
 * logo of the web UI, if it can be seen on white paper.
 */
export const findCommonLogo = async (
  readBrand: ReadBrand,
  prepareLogo: PrepareLogo,
): Promise<PrintedLogo | undefined> => {
  const { logo } = await readBrand();
  return logo && !logo.isLight ? prepareLogo(logo) : undefined;
};

export const makeMakeSlips =
  ({ siteLogos, openNetworks, ownTexts, prepareLogo, readBrand }: MakeSlipsDeps): MakeSlips =>
  async (selected, language) => {
    const texts = loadGuestTexts(language);
    const networks = await openNetworks([...new Map(selected.map(({ site }) => [site.id, site])).values()]);
    const own = await ownTexts.find([allSites, ...new Set(selected.map(({ site }) => site.id))]);
    const withLogo = new Set(selected.flatMap(({ site }) => (site.hasLogo ? [site.id] : [])));
    const logos = new Map<number, PrintedLogo | undefined>();
    for (const siteId of withLogo) {
      const logo = await siteLogos.find(siteId);
      logos.set(siteId, logo && (await prepareLogo(logo)));
    }
    const common = selected.some(({ site }) => !site.hasLogo)
      ? await findCommonLogo(readBrand, prepareLogo)
      : undefined;
    return selected.map(({ voucher, site }) =>
      toVoucherSlip(
        voucher,
        {
          ...site,
          network: networks.get(site.id),
          logo: site.hasLogo ? logos.get(site.id) : common,
          own: mergeOwnTexts(language, own.get(allSites), own.get(site.id)),
        },
        texts,
      ),
    );
  };

const toLayout = ({ layout, paper, columns, rows, hasCutMarks, firstLabel }: PrintRequest): PdfLayout => {
  if (layout === 'receipt' && isRollPaper(paper)) return { kind: layout, paper };
  if (layout === 'slip' && isSlipPaper(paper)) return { kind: layout, paper };
  if (layout === 'sheet' && isSheetPaper(paper)) return { kind: layout, paper, columns, rows, hasCutMarks };
  if (layout === 'labels' && isLabelPaper(paper) && firstLabel <= countLabels(paper))
    return { kind: layout, paper, firstLabel };
  throw new Refusal('layout-invalid', 'this paper is not for this layout', 'invalid');
};

/** How one slip is put on a paper that a site has chosen. */
export const toPaperLayout = (paper: SlipPaperName): PdfLayout => {
  const cut = { kind: 'sheet', columns: 2, rows: 5, hasCutMarks: true } as const;
  if (paper === 'a4-sheet') return { ...cut, paper: 'a4' };
  if (paper === 'letter-sheet') return { ...cut, paper: 'letter' };
  if (isRollPaper(paper)) return { kind: 'receipt', paper };
  if (isLabelPaper(paper)) return { kind: 'labels', paper, firstLabel: 1 };
  return { kind: 'slip', paper };
};

const countLabels = (paper: LabelPaper): number => labelSheets[paper].columns * labelSheets[paper].rows;
