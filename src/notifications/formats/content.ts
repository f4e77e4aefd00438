import type { Language, WebhookEvent, WebhookMessage } from './format.js';

/** What a chat message shows; how it is kept from being markup is each format's business. */
interface MessageContent {
  readonly title: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

// Names have up to 255 characters and a source a prefix, so nothing real is cut; every platform's limit is kept.
const maxCharacters = 300;

const lineBreaksAndControls = /\r\n|[\p{Cc}\u2028\u2029]/gu;
const isolates = /[\u2066-\u2069]/g;
// Letters of right-to-left scripts, and the marks, embeddings, overrides and isolates that turn text around.
const bidiCharacters =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const truncate = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
};

/**
 * A value that people wrote, as one line. What could turn around the rest of the message is contained in an isolate
 * (U+2068 … U+2069), which also ends what the value itself left open; its own isolates could end ours early.
 */
export const toSafeLine = (value: string): string => {
  const line = truncate(value.toWellFormed().replace(lineBreaksAndControls, ' '));
  return bidiCharacters.test(line) ? `\u2068${line.replace(isolates, '')}\u2069` : line;
};

/** What every chat message shows: count, site and source. */
export const buildContent = (event: WebhookEvent, language: Language): MessageContent => ({
  title: buildTitle(event, language),
  facts: [
    { label: messageTexts[language].site, value: toSafeLine(event.site) },
    { label: messageTexts[language].source, value: toSafeLine(event.source) },
  ],
});

/** For platforms that read `<…>` as markup and `&…;` as a character. */
export const escapeAngles = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const buildJsonMessage = (body: unknown): WebhookMessage => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
});

/** What a chat message says in one language. Never a code. */
interface MessageTexts {
  created(count: number): string;
  readonly test: string;
  readonly site: string;
  readonly source: string;
}

const messageTexts: Readonly<Record<Language, MessageTexts>> = {
  de: { created: (count) => `${count} Voucher erstellt`, test: 'Test', site: 'Standort', source: 'Quelle' },
  en: {
    created: (count) => `${count} ${count === 1 ? 'voucher' : 'vouchers'} created`,
    test: 'Test',
    site: 'Site',
    source: 'Source',
  },
};

/** The first line of a message: how many, and whether it is only a test. */
const buildTitle = ({ count, test }: WebhookEvent, language: Language): string => {
  const { created, test: marker } = messageTexts[language];
  return test ? `${marker}: ${created(count)}` : created(count);
};
