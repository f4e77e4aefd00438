import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../lib/packageRoot.js';
import { fillTemplate } from '../lib/textTemplate.js';
import {
  colonOf,
  directionOf,
  isolate,
  localeOf,
  type TextDirection,
  type GuestLanguage,
} from './guestLanguages.js';

export type { GuestLanguage };

/** Every language has a file in guests/ with a text for each of these. Words in braces are filled in. */
export const guestTextKeys = [
  'network',
  'password',
  'code',
  'validity',
  'usesOne',
  'usesMany',
  'usesAny',
  'download',
  'upload',
  'data',
  'stepJoin',
  'stepConnect',
  'stepEnter',
  'missing',
  'emailSubject',
  'emailGreeting',
  'emailIntro',
  'emailQr',
  'test',
  'testText',
] as const;
type GuestTextKey = (typeof guestTextKeys)[number];

/** In kbit/s and MB. 0 is no limit, and null is not known. */
interface SpeedAndData {
  readonly down?: number | null;
  readonly up?: number | null;
  readonly quotaMb?: number | null;
}

/** What guests read, in one language. */
export interface GuestTexts {
  readonly language: GuestLanguage;
  readonly direction: TextDirection;
  /** What stands between a label and its value. */
  readonly colon: string;
  get(key: GuestTextKey, values?: Readonly<Record<string, string>>): string;
  /** How long a voucher is valid, in words; empty where that is not known. */
  validity(minutes: number): string;
  /** Minutes in human units. */
  duration(minutes: number): string;
  number(value: number): string;
  /** How often a voucher may be used, in words; 0 is no limit. */
  uses(count: number): string;
  /** How fast and how much, in words, each on a line of its own; null where nothing is limited. */
  limits(limits: SpeedAndData): string | null;
  /** How long, how often, how fast and how much, in figures and units; what has no limit is left out. */
  short(limits: SpeedAndData & { readonly expireMinutes: number; readonly maxUses: number }): string[];
}

export const guestTextsFolder = join(packageRoot, 'src/i18n/guests');

const loaded = new Map<GuestLanguage, GuestTexts>();

/** The texts of a language, which are read when they are first needed. */
export const loadGuestTexts = (language: GuestLanguage): GuestTexts => {
  const known = loaded.get(language);
  if (known) return known;
  const file = join(guestTextsFolder, `${language}.json`);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<GuestTextKey, string>>;
  const direction = directionOf(language);
  const get: GuestTexts['get'] = (key, values = {}) =>
    fillTemplate(keepTogether(texts[key]), direction === 'rtl' ? isolateValues(values) : values);
  const locale = localeOf(language);
  const numbers = new Intl.NumberFormat(locale);
  const speeds = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const guestTexts: GuestTexts = {
    language,
    direction,
    colon: colonOf(language),
    get,
    duration: (minutes) => toDuration(minutes, locale),
    number: numbers.format,
    validity: (minutes) => (minutes === 0 ? '' : get('validity', { duration: toDuration(minutes, locale) })),
    uses: (count) => {
      if (count === 0) return get('usesAny');
      return count === 1 ? get('usesOne') : get('usesMany', { count: numbers.format(count) });
    },
    limits: ({ down, up, quotaMb }) => {
      const speedOf = (kbit: number) => ({ speed: speeds.format(kbit / 1000) });
      const parts = [
        ...(down ? [get('download', speedOf(down))] : []),
        ...(up ? [get('upload', speedOf(up))] : []),
        ...(quotaMb ? [get('data', { amount: toDataVolume(quotaMb, language) })] : []),
      ];
      return parts.length === 0 ? null : parts.join('\n');
    },
    short: ({ expireMinutes, maxUses, down, up, quotaMb }) => {
      const speed = [down, up].map((kbit) => speeds.format((kbit ?? 0) / 1000)).join('/');
      const [, unit = ''] = keepTogether(texts.download).split('{speed}');
      return [
        ...(expireMinutes ? [toParts(expireMinutes, locale, 'short').join('\u00A0')] : []),
        ...(maxUses ? [`${numbers.format(maxUses)}×`] : []),
        // Download before upload, as providers write it. One of them alone needs its word.
        ...(down && up
          ? [speed + unit]
          : (guestTexts.limits({ down: down ?? 0, up: up ?? 0 })?.split('\n') ?? [])),
        ...(quotaMb ? [toDataVolume(quotaMb, language)] : []),
      ].map((part) => (direction === 'rtl' ? isolate(part) : part));
    },
  };
  loaded.set(language, guestTexts);
  return guestTexts;
};

/** Values of any direction, such as the name of a network. What is still a placeholder stays one. */
const isolateValues = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, /^\{\w+\}$/.test(value) ? value : isolate(value)]),
  );

/** No line ends between a number and what it counts. */
const keepTogether = (text: string): string => text.replaceAll(/\{(count|speed)\} /g, '{$1}\u00A0');

const units = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Minutes in human units: "3 Tage", "1 day, 12 hours". */
const toDuration = (minutes: number, locale: string): string =>
  new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(toParts(minutes, locale, 'long'));

const toParts = (minutes: number, locale: string, unitDisplay: 'long' | 'short'): string[] => {
  let rest = minutes;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(formatUnit(count, locale, { unit, unitDisplay }));
  }
  return parts;
};

/** Megabytes in human units: "500 MB", "1,5 GB". */
const toDataVolume = (megabytes: number, language: GuestLanguage): string => {
  const [unit, size] = megabytes >= 1000 ? (['gigabyte', 1000] as const) : (['megabyte', 1] as const);
  // A Latin unit in a right-to-left text would stand on the wrong side of its number.
  const unitDisplay = directionOf(language) === 'rtl' ? 'long' : 'short';
  return formatUnit(megabytes / size, localeOf(language), { unit, unitDisplay, maximumFractionDigits: 1 });
};

const formatUnit = (value: number, locale: string, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale, { style: 'unit', ...options }).format(value).replaceAll(' ', '\u00A0');
