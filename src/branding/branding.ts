import { createHash } from 'node:crypto';
import { draftAudit, type Actor } from '../audit/audit.js';
import { makeRevisionCache, type Revisions } from '../database/revisions.js';
import { Refusal } from '../errors/problem.js';
import { toLabel } from '../lib/label.js';
import { measureTone, type PictureFile } from '../lib/picture.js';
import type { Clock } from '../lib/system.js';
import { maxLogoBytes, toUploadedPicture } from '../sites/logo.js';
import {
  brandPictureKinds,
  isColour,
  type BrandPicture,
  type BrandPictureKind,
  type BrandPictures,
  type BrandTable,
  type BrandValues,
  type StoredBrand,
} from './brandTable.js';
import { toPalette, type Palette } from './palette.js';

/** How the web UI looks. */
export interface Brand extends StoredBrand {
  /** The colours that are made of its colour; null for those of the web UI itself. */
  readonly palette: Palette | null;
}

/** What is set. A picture is in base64; null removes it, and one that is left out stays. */
export type BrandChange = BrandValues & Readonly<Partial<Record<BrandPictureKind, string | null>>>;

/** Title, logo, colour and icon of the web UI. */
export interface Branding {
  get(): Promise<Brand>;
  /** All at once. Throws `Refusal`, and then nothing has changed. */
  set(change: BrandChange, actor: Actor): Promise<Brand>;
  findPicture(version: string): Promise<PictureFile | undefined>;
  forEmails(): Promise<EmailBrand>;
}

/** What e-mails to users show of it. */
export interface EmailBrand {
  readonly title: string | null;
  /** Of links, on white. */
  readonly linkColour: string | null;
  readonly logo: (PictureFile & { readonly isLight: boolean }) | null;
}

interface BrandingDeps {
  readonly table: BrandTable;
  readonly revisions: Revisions;
  readonly clock: Clock;
}

const maxTitleCharacters = 40;
/** Twice the size in which they are shown, for sharp screens; a home screen shows an icon with 192 pixels. */
const sizes: Readonly<Record<BrandPictureKind, { readonly width: number; readonly height: number }>> = {
  logo: { width: 480, height: 120 },
  icon: { width: 192, height: 192 },
};

export const makeBranding = ({ table, revisions, clock }: BrandingDeps): Branding => {
  const load = async (): Promise<Brand> => {
    const stored = await table.get();
    return { ...stored, palette: stored.colour === null ? null : toPalette(stored.colour) };
  };
  const current = makeRevisionCache({ revisions, maxSize: 1, load });
  const get = async (): Promise<Brand> => current('settings');
  return {
    get,
    set: async (change, actor) => {
      const values = toBrandValues(change);
      const pictures = await toBrandPictures(change);
      const audit = draftAudit(actor, 'setting.branding', clock.now(), summarizeBrand(values, pictures));
      await table.set(values, pictures, audit);
      return load();
    },
    findPicture: (version) => table.findPicture(version),
    forEmails: async () => {
      const { title, palette, logo } = await get();
      const picture = logo && (await table.findPicture(logo.version));
      return {
        title,
        linkColour: palette?.light.text ?? null,
        logo: picture ? { ...picture, isLight: logo.tone === 'light' } : null,
      };
    },
  };
};

/** Parses title and colour. Throws `Refusal`. */
export const toBrandValues = ({ title, colour }: BrandValues): BrandValues => ({
  title: title === null || title.trim() === '' ? null : toTitle(title),
  colour: colour === null ? null : toColour(colour),
});

const toTitle = (text: string): string => {
  const title = toLabel(text, maxTitleCharacters);
  if (!/[^\p{C}\p{M}\p{Z}]/u.test(title))
    throw new Refusal('name-invalid', 'the title has no character that is seen', 'invalid');
  return title;
};

const toColour = (text: string): string => {
  const colour = text.toLowerCase();
  if (!isColour(colour)) throw new Refusal('colour-invalid', 'a colour looks like #7a1f3d', 'invalid');
  return colour;
};

/** Parses the pictures that are given, in base64. Throws `Refusal`. */
export const toBrandPictures = async (
  change: Pick<BrandChange, BrandPictureKind>,
): Promise<BrandPictures> => {
  const pictures: Partial<Record<BrandPictureKind, BrandPicture | null>> = {};
  for (const kind of brandPictureKinds) {
    const given = change[kind];
    if (given === undefined) continue;
    pictures[kind] = given === null ? null : await toBrandPicture(given, kind);
  }
  return pictures;
};

const toBrandPicture = async (base64: string, kind: BrandPictureKind): Promise<BrandPicture> => {
  // PNG loses nothing: a picture that is exported and imported again is still the same.
  const limits = { maxBytes: maxLogoBytes, size: sizes[kind], asType: 'image/png' } as const;
  const picture = await toUploadedPicture(base64, limits);
  // Both kinds may be the same picture, in the same size.
  const version = createHash('sha256').update(kind).update(picture.image).digest('hex').slice(0, 32);
  return { ...picture, version, tone: await measureTone(picture.image) };
};

/** What the audit log says. */
export const summarizeBrand = (
  values: BrandValues,
  { logo, icon }: BrandPictures,
): BrandValues & { readonly logo?: boolean; readonly icon?: boolean } => ({
  ...values,
  ...(logo !== undefined && { logo: logo !== null }),
  ...(icon !== undefined && { icon: icon !== null }),
});
