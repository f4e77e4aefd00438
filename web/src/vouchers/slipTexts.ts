import type englishTexts from '../../../src/i18n/guests/en.json';
import { durationIn } from '../i18n/format.ts';
import { loadOnline } from '../lib/lazyPart.ts';
import type { GuestLanguage } from './guestLanguage.tsx';
import type { Voucher } from './voucher.ts';

type GuestTexts = typeof englishTexts;

/** The texts of the service's own slips, so that the browser prints the same words. */
const loaders: Readonly<Record<GuestLanguage, () => Promise<{ default: GuestTexts }>>> = {
  de: () => import('../../../src/i18n/guests/de.json'),
  en: () => import('../../../src/i18n/guests/en.json'),
  fr: () => import('../../../src/i18n/guests/fr.json'),
  es: () => import('../../../src/i18n/guests/es.json'),
  it: () => import('../../../src/i18n/guests/it.json'),
  nl: () => import('../../../src/i18n/guests/nl.json'),
  pl: () => import('../../../src/i18n/guests/pl.json'),
};

const loading = new Map<GuestLanguage, Promise<GuestTexts>>();

/** One promise per language, as `use` asks for. */
export const loadGuestTexts = (language: GuestLanguage): Promise<GuestTexts> => {
  const known = loading.get(language);
  if (known) return known;
  const texts = loadOnline(loaders[language]).then((module) => module.default);
  loading.set(language, texts);
  texts.catch(() => loading.delete(language));
  return texts;
};

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** What a slip says of a voucher, in the language of the guest. */
export const slipTextsOf = (
  texts: GuestTexts,
  language: GuestLanguage,
  { expireMinutes, maxUses }: Voucher,
  ssid: string | null,
) => ({
  network: texts.network,
  password: texts.password,
  code: texts.code,
  validity: fill(texts.validity, { duration: durationIn(language, expireMinutes) }),
  uses:
    maxUses === 1
      ? texts.usesOne
      : fill(texts.usesMany, { count: new Intl.NumberFormat(language).format(maxUses) }),
  steps: [ssid === null ? texts.stepConnect : fill(texts.stepJoin, { network: ssid }), texts.stepEnter],
});
