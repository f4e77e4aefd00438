import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';
import type { PictureFile, PictureTone } from '../lib/picture.js';

export const brandPictureKinds = ['logo', 'icon'] as const;
export type BrandPictureKind = (typeof brandPictureKinds)[number];

/** What administrators have set; null for what the web UI has by itself. */
export interface BrandValues {
  readonly title: string | null;
  /** Such as #7a1f3d. */
  readonly colour: string | null;
}

export interface BrandPicture extends PictureFile {
  /** Made of its content. */
  readonly version: string;
  readonly tone: PictureTone;
}

export interface StoredBrand extends BrandValues {
  readonly logo: Pick<BrandPicture, 'version' | 'tone'> | null;
  /** The version of the picture. */
  readonly icon: string | null;
}

/** Null removes a picture; one that is not there stays. */
export type BrandPictures = Readonly<Partial<Record<BrandPictureKind, BrandPicture | null>>>;

export interface BrandTable {
  get(): Promise<StoredBrand>;
  /** All at once. */
  set(values: BrandValues, pictures: BrandPictures, audit: AuditDraft): Promise<void>;
  findPicture(version: string): Promise<PictureFile | undefined>;
}

const settingName = 'branding';

/** Title, colour and pictures of the web UI. They have the revision of settings. */
export const makeBrandTable = ({ read, write }: Database): BrandTable => ({
  get: async () => {
    const row = await read('settings')
      .where({ name: settingName })
      .first<{ value: string } | undefined>('value');
    const pictures = await read('brand_pictures').select<
      { kind: string; version: string; tone: PictureTone }[]
    >('kind', 'version', 'tone');
    const find = (wanted: BrandPictureKind) => pictures.find(({ kind }) => kind === wanted);
    const logo = find('logo');
    return {
      ...parseValues(row?.value),
      logo: logo ? { version: logo.version, tone: logo.tone } : null,
      icon: find('icon')?.version ?? null,
    };
  },
  set: ({ title, colour }, pictures, audit) =>
    inTransaction(write, async (transaction) => {
      await transaction('settings')
        .insert({ name: settingName, value: JSON.stringify({ title, colour }) })
        .onConflict('name')
        .merge();
      for (const kind of brandPictureKinds) await setPicture(transaction, kind, pictures[kind]);
      await recordAudit(transaction, { ...audit, subjectKind: null, subjectId: null, subjectName: null });
      await raiseRevisions(transaction, ['settings']);
    }),
  findPicture: (version) =>
    read('brand_pictures')
      .where({ version })
      .first<PictureFile | undefined>({ mediaType: 'media_type', image: 'image' }),
});

const setPicture = async (
  transaction: Knex,
  kind: BrandPictureKind,
  picture: BrandPicture | null | undefined,
): Promise<void> => {
  if (picture === undefined) return;
  if (picture === null) {
    await transaction('brand_pictures').where({ kind }).delete();
    return;
  }
  const { mediaType, image, version, tone } = picture;
  await transaction('brand_pictures')
    .insert({ kind, media_type: mediaType, image, version, tone })
    .onConflict('kind')
    .merge();
};

const parseValues = (json: string | undefined): BrandValues => {
  const { title, colour } = (json === undefined ? {} : JSON.parse(json)) as Partial<Record<string, unknown>>;
  return {
    title: typeof title === 'string' ? title : null,
    colour: typeof colour === 'string' && isColour(colour) ? colour : null,
  };
};

/** In lower case, as it is stored. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text);
