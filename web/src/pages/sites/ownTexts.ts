import { guestLanguages } from '../../../../src/i18n/guestLanguages.ts';
import type { Schemas } from '../../api/schemas.ts';

export type OwnTextName = keyof Schemas['OwnTexts'];
export type OwnTextGroup = 'slip' | 'email' | 'sms' | 'kiosk';

interface OwnTextField {
  readonly name: OwnTextName;
  /** 1 is a single line. */
  readonly rows: number;
  readonly maxLength: number;
  readonly placeholders: readonly string[];
}

const all = ['site', 'wifi', 'password', 'code', 'name', 'time', 'devices', 'limits'];
const ofKiosk = ['site', 'wifi', 'time', 'devices', 'limits'];

/** The texts that can be changed, as the service takes them. */
export const textGroups: Readonly<Record<OwnTextGroup, readonly OwnTextField[]>> = {
  slip: [
    { name: 'slipHeading', rows: 1, maxLength: 100, placeholders: ['site', 'name'] },
    { name: 'slipSteps', rows: 3, maxLength: 500, placeholders: all },
    { name: 'slipText', rows: 3, maxLength: 1000, placeholders: all },
  ],
  email: [
    { name: 'emailSubject', rows: 1, maxLength: 150, placeholders: ['site', 'wifi', 'name', 'time'] },
    { name: 'emailText', rows: 4, maxLength: 2000, placeholders: all },
    { name: 'emailClosing', rows: 3, maxLength: 2000, placeholders: all },
  ],
  sms: [{ name: 'smsText', rows: 4, maxLength: 300, placeholders: all }],
  kiosk: [
    { name: 'kioskTitle', rows: 1, maxLength: 100, placeholders: ['site', 'wifi'] },
    { name: 'kioskText', rows: 3, maxLength: 500, placeholders: ofKiosk },
    { name: 'kioskNote', rows: 3, maxLength: 500, placeholders: ofKiosk },
  ],
};

type Texts = Schemas['OwnTextsByLanguage'];

/** The texts that are not what they were. */
export const pickChangedTexts = (texts: Texts, before: Texts): Texts =>
  Object.fromEntries(
    guestLanguages.flatMap((language) => {
      const [own = {}, was = {}] = [texts[language], before[language]];
      const changed = Object.entries(own).filter(([name, text]) => text !== (was[name as OwnTextName] ?? ''));
      return changed.length === 0 ? [] : [[language, Object.fromEntries(changed)]];
    }),
  );
