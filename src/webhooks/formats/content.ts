import { describeStoredFailure } from '../../controllers/failureMessages.js';
import { colonOf } from '../../i18n/guestLanguages.js';
import type { PageLanguage } from '../../i18n/language.js';
import { textIn, wordIn, type Message } from '../../i18n/messages.js';
import type { ControllerOutage } from '../notificationTable.js';
import type { WebhookEvent, WebhookMessage } from './format.js';

/** The content of a chat message. Each format escapes it for its own markup. */
interface MessageContent {
  readonly title: string;
  /** What stands between a label and a value. */
  readonly colon: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

// Longer than any real value (names have up to 255 characters,
// a source a prefix), and within every platform's limit.
const maxCharacters = 300;

const lineBreaksAndControls = /\r\n|[\p{Cc}\u2028\u2029]/gu;
const isolates = /[\u2066-\u2069]/g;
// Letters of right-to-left scripts, and the marks, embeddings,
// overrides and isolates that change the direction.
const bidiCharacters =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const truncate = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
};

/**
 * User input as one line. Text that could change the direction of the rest of
 * the message is wrapped in an isolate (U+2068 … U+2069), which also closes what
 * the value left open. Its own isolates are removed: they could end ours early.
 */
export const toSafeLine = (value: string): string => {
  const line = truncate(value.toWellFormed().replace(lineBreaksAndControls, ' '));
  return bidiCharacters.test(line) ? `\u2068${line.replace(isolates, '')}\u2069` : line;
};

/** Builds the content of every chat message: count, site and source, or controller, sites and reason. */
export const buildContent = (event: WebhookEvent, language: PageLanguage): MessageContent => ({
  title: wordIn(language, 'notification', titleOf(event)),
  colon: `${colonOf(language)} `,
  facts: factsOf(event, language).map(([label, value]) => ({
    label: textIn(language, 'notification', label),
    value: toSafeLine(value),
  })),
});

const titleOf = (event: WebhookEvent): Message<'notification'> => {
  if (event.type !== 'voucher.created') return { code: event.type, values: {} };
  const { count, test } = event;
  const created: Message<'notification'> =
    count === 1 ? { code: 'created-one', values: {} } : { code: 'created-many', values: { count } };
  return test ? { code: 'test', values: { notification: created } } : created;
};

type Fact = readonly [label: 'controller' | 'reason' | 'site' | 'sites' | 'source', value: string];

const factsOf = (event: WebhookEvent, language: PageLanguage): readonly Fact[] =>
  event.type === 'voucher.created'
    ? [
        ['site', event.site],
        ['source', event.source],
      ]
    : [
        ['controller', event.controller],
        ['sites', event.sites.join(', ')],
        ...(event.failure ? [['reason', describeOutage(event, language)] as const] : []),
      ];

/** Why a controller can't be reached, for staff. A reason of a later version is unknown. */
export const describeOutage = ({ failure }: ControllerOutage, language: PageLanguage): string =>
  describeStoredFailure(failure)?.[language] ?? textIn(language, 'notification', 'unknown');

/** Escapes text for platforms that interpret `<…>` and `&…;`. */
export const escapeAngles = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Builds a message with a JSON body. */
export const buildJsonMessage = (body: unknown): WebhookMessage => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
});
