import { guestLanguages, type GuestLanguage } from '../../../../src/i18n/guestLanguages.ts';
import type { Schemas } from '../../api/schemas.ts';

export type OwnTextName = keyof Schemas['OwnTexts'];
export type OwnTextGroup = 'slip' | 'email' | 'sms' | 'kiosk';

interface OwnTextField {
  readonly name: OwnTextName;
  /** 1 is a single line. */
  readonly rows: number;
  readonly maxLength: number;
  readonly placeholders: readonly string[];
  /** What it replaces, where that is a text that is set elsewhere. */
  readonly replaces?: 'slip-text' | 'slip-end';
}

const all = ['site', 'wifi', 'password', 'code', 'name', 'time', 'devices', 'limits'];
const ofKiosk = ['site', 'wifi', 'time', 'devices', 'limits'];

/** The texts that can be changed, as the service takes them. */
export const textGroups: Readonly<Record<OwnTextGroup, readonly OwnTextField[]>> = {
  slip: [
    { name: 'slipHeading', rows: 1, maxLength: 100, placeholders: ['site', 'name'] },
    { name: 'slipSteps', rows: 3, maxLength: 500, placeholders: all },
    { name: 'slipText', rows: 3, maxLength: 1000, placeholders: all, replaces: 'slip-text' },
  ],
  email: [
    { name: 'emailSubject', rows: 1, maxLength: 150, placeholders: ['site', 'wifi', 'name', 'time'] },
    { name: 'emailText', rows: 4, maxLength: 2000, placeholders: all },
    { name: 'emailClosing', rows: 3, maxLength: 2000, placeholders: all, replaces: 'slip-end' },
  ],
  sms: [{ name: 'smsText', rows: 4, maxLength: 300, placeholders: all }],
  kiosk: [
    { name: 'kioskTitle', rows: 1, maxLength: 100, placeholders: ['site', 'wifi'] },
    { name: 'kioskText', rows: 3, maxLength: 500, placeholders: ofKiosk },
    { name: 'kioskNote', rows: 3, maxLength: 500, placeholders: ofKiosk, replaces: 'slip-text' },
  ],
};

interface StandardSource {
  /** The own texts of the language, as they are typed. */
  readonly own: Schemas['OwnTexts'] | undefined;
  /** The texts for all sites, and the standard ones. */
  readonly standard: Schemas['OwnTexts'];
  readonly site: Pick<Schemas['Site'], 'slipText'> | undefined;
}

/** What stands in a place without an own text there: slips and kiosks have the text of the site, e-mails end as slips do. */
export const standardOf = (name: OwnTextName, { own, standard, site }: StandardSource): string => {
  const ofSite = site?.slipText ?? '';
  const ofSlip = standard.slipText ?? ofSite;
  if (name === 'slipText') return ofSlip;
  if (name === 'emailClosing') return standard.emailClosing ?? (own?.slipText || ofSlip);
  return standard[name] ?? (name === 'kioskNote' ? ofSite : '');
};

type Texts = Schemas['OwnTextsByLanguage'];

interface TextConflict {
  readonly language: GuestLanguage;
  readonly name: OwnTextName;
  /** What somebody else has made of it meanwhile. */
  readonly stored: string;
}

const names = Object.values(textGroups).flatMap((fields) => fields.map(({ name }) => name));

/** The texts that somebody else has changed meanwhile, and in another way. */
export const findTextConflicts = (texts: Texts, before: Texts, stored: Texts): readonly TextConflict[] =>
  guestLanguages.flatMap((language) =>
    names.flatMap((name) => {
      const [mine, was, now] = [texts, before, stored].map((all) => all[language]?.[name] ?? '');
      return mine === was || now === was || now === mine || now === undefined
        ? []
        : [{ language, name, stored: now }];
    }),
  );

/** What is typed, over what is stored now instead of what was stored before; what both changed is as `keepsMine` says. */
export const rebaseTexts = (texts: Texts, before: Texts, stored: Texts, keepsMine: boolean): Texts => {
  const taken = keepsMine ? [] : findTextConflicts(texts, before, stored);
  const changed = pickChangedTexts(texts, before);
  return Object.fromEntries(
    guestLanguages.map((language) => {
      const own = Object.entries(changed[language] ?? {}).filter(
        ([name]) => !taken.some((one) => one.language === language && one.name === name),
      );
      return [language, { ...stored[language], ...Object.fromEntries(own) }];
    }),
  );
};

/** Of these texts, those that are changed. */
export const pickSameTexts = (texts: Texts, changed: Texts): Texts =>
  Object.fromEntries(
    guestLanguages.flatMap((language) => {
      const own = Object.entries(texts[language] ?? {}).filter(([name]) =>
        Object.hasOwn(changed[language] ?? {}, name),
      );
      return own.length === 0 ? [] : [[language, Object.fromEntries(own)]];
    }),
  );

/** The texts that are not what they were. */
export const pickChangedTexts = (texts: Texts, before: Texts): Texts =>
  Object.fromEntries(
    guestLanguages.flatMap((language) => {
      const [own = {}, was = {}] = [texts[language], before[language]];
      const changed = Object.entries(own).filter(([name, text]) => text !== (was[name as OwnTextName] ?? ''));
      return changed.length === 0 ? [] : [[language, Object.fromEntries(changed)]];
    }),
  );
