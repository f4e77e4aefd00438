import type { Event, Language } from './format.js';

/** What a chat message says in one language. Never a code. */
export interface Texts {
  created(count: number): string;
  readonly test: string;
  readonly site: string;
  readonly source: string;
}

export const texts: Readonly<Record<Language, Texts>> = {
  de: { created: (count) => `${count} Voucher erstellt`, test: 'Test', site: 'Standort', source: 'Quelle' },
  en: {
    created: (count) => `${count} ${count === 1 ? 'voucher' : 'vouchers'} created`,
    test: 'Test',
    site: 'Site',
    source: 'Source',
  },
};

/** The first line of a message: how many, and whether it is only a test. */
export const titleOf = ({ count, test }: Event, language: Language): string => {
  const { created, test: marker } = texts[language];
  return test ? `${marker}: ${created(count)}` : created(count);
};
