import { describeStoredFailure } from '../../controllers/failureMessages.js';
import { fromStoredFailure } from '../../controllers/storedFailure.js';
import type { Language } from '../../i18n/language.js';
import type { ControllerOutage } from '../notificationTable.js';
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

/** Builds the content of every chat message: count, site and source, or controller, sites and reason. */
export const buildContent = (event: WebhookEvent, language: Language): MessageContent => {
  const texts = messageTexts[language];
  const toFacts = (facts: Readonly<Record<string, string>>): MessageContent['facts'] =>
    Object.entries(facts).map(([label, value]) => ({ label, value: toSafeLine(value) }));
  if (event.type === 'voucher.created') {
    const created = texts.created(event.count);
    return {
      title: event.test ? `${texts.test}: ${created}` : created,
      facts: toFacts({ [texts.site]: event.site, [texts.source]: event.source }),
    };
  }
  return {
    title: texts[event.type],
    facts: toFacts({
      [texts.controller]: event.controller,
      [texts.sites]: event.sites.join(', '),
      ...(event.failure && { [texts.reason]: describeOutage(event, language) }),
    }),
  };
};

/** Why a controller can't be reached, for staff. A reason of a later version is unknown. */
export const describeOutage = ({ failure }: ControllerOutage, language: Language): string =>
  describeStoredFailure(fromStoredFailure(failure))?.[language] ?? messageTexts[language].unknown;

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
  readonly 'controller.unreachable': string;
  readonly 'controller.reachable': string;
  readonly controller: string;
  readonly sites: string;
  readonly reason: string;
  readonly unknown: string;
}

const messageTexts: Readonly<Record<Language, MessageTexts>> = {
  de: {
    created: (count) => `${count} Voucher erstellt`,
    test: 'Test',
    site: 'Standort',
    source: 'Quelle',
    'controller.unreachable': 'Controller nicht erreichbar',
    'controller.reachable': 'Controller wieder erreichbar',
    controller: 'Controller',
    sites: 'Standorte',
    reason: 'Grund',
    unknown: 'unbekannt',
  },
  en: {
    created: (count) => `${count} ${count === 1 ? 'voucher' : 'vouchers'} created`,
    test: 'Test',
    site: 'Site',
    source: 'Source',
    'controller.unreachable': 'Controller cannot be reached',
    'controller.reachable': 'Controller can be reached again',
    controller: 'Controller',
    sites: 'Sites',
    reason: 'Reason',
    unknown: 'unknown',
  },
};
