import type { Tables } from '../app/tables.js';
import { guestLanguages } from '../i18n/guestLanguages.js';
import { ownTextNames, type OwnTextsByLanguage } from '../sites/ownTexts.js';
import { allSites } from '../sites/ownTextTable.js';
import { list, object, optionalCount } from './fileSchema.js';

/** Texts on slips, in e-mails and at kiosks, by language. */
export interface FileOwnTexts {
  /** Null for all sites. */
  readonly site: number | null;
  readonly texts: OwnTextsByLanguage;
}

const ofLanguage = object(
  Object.fromEntries(ownTextNames.map((name) => [name, { type: 'string', maxLength: 8000 }])),
  ownTextNames,
);
export const ownTextsSchema = list({
  site: optionalCount(1),
  texts: object(Object.fromEntries(guestLanguages.map((language) => [language, ofLanguage])), guestLanguages),
});

/** The own texts for all sites, and those of each site that has some. */
export const exportOwnTexts = async (
  { ownTexts }: Pick<Tables, 'ownTexts'>,
  siteIds: ReadonlySet<number>,
): Promise<FileOwnTexts[]> =>
  [...(await ownTexts.all())]
    .filter(([id]) => id === allSites || siteIds.has(id))
    .map(([id, texts]) => ({ site: id === allSites ? null : id, texts }));
