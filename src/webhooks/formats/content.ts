import type { Language } from '../../i18n/language.js';
import type { WebhookEvent, WebhookMessage } from './format.js';

/** The content of a chat message. Each format escapes it for its own markup. */
interface MessageContent {
  readonly title: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

// Longer than any real value (names have up to 255 characters, a source a prefix), and within every platform's limit.
const maxCharacters = 300;

const lineBreaksAndControls = /\r\n|[\p{Cc}\u2028\u2029]/gu;
const isolates = /[\u2066-\u2069]/g;
// Letters of right-to-left scripts, and the marks, embeddings, overrides and isolates that change the direction.
const bidiCharacters =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const truncate = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
};

/**
 * User input as one line. Text that could change the direction of the rest of the message is wrapped in an isolate
 * (U+2068 … U+2069), which also closes what the value left open. Its own isolates are removed: they could end ours early.
 */
export const toSafeLine = (value: string): string => {
  const line = truncate(value.toWellFormed().replace(lineBreaksAndControls, ' '));
  return bidiCharacters.test(line) ? `\u2068${line.replace(isolates, '')}\u2069` : line;
};

/** Builds the content of every chat message: count, site and source. */
export const buildContent = (event: WebhookEvent, language: Language): MessageContent => ({
  title: buildTitle(event, language),
  facts: [
    { label: messageTexts[language].site, value: toSafeLine(event.site) },
    { label: messageTexts[language].source, value: toSafeLine(event.source) },
  ],
});

/** Escapes text for platforms that interpret `<…>` and `&…;`. */
export const escapeAngles = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Builds a message with a JSON body. */
export const buildJsonMessage = (body: unknown): WebhookMessage => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
});

/** The texts of a chat message in one language. Never a voucher's code. */
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

/** The first line of a message: the count, and whether it is only a test. */
const buildTitle = ({ count, test }: WebhookEvent, language: Language): string => {
  const { created, test: marker } = messageTexts[language];
  return test ? `${marker}: ${created(count)}` : created(count);
};
