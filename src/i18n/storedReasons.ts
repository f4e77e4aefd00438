import type { Texts } from './language.js';
import { isMessage, toTexts, wordMessage, type Message } from './messages.js';

/** Reasons that are stored. Their code `text` shows what a later version has stored as it is. */
type StoredKind = 'attempt' | 'email' | 'sms';

/** Why a delivery attempt failed. */
export type AttemptReason = Message<'attempt'>;

/** Why an e-mail was not sent. */
export type EmailReason = Message<'email'>;

/** Why an SMS was not sent. */
export type SmsReason = Message<'sms'>;

/** The reason in every language; the log and the command line use the English text. */
export const describeReason = <K extends StoredKind>(kind: K, reason: Message<K> | null): Texts =>
  reason === null ? toTexts(() => '') : wordMessage(kind, reason);

/** Reads a stored reason. One of a later version is shown as it is. */
export const parseReason = <K extends StoredKind>(kind: K, stored: string | null): Message<K> | null => {
  if (stored === null) return null;
  const candidates: unknown[] = [parseJson(stored), { code: 'text', values: { text: stored } }];
  return candidates.find((candidate) => isMessage(kind, candidate)) ?? null;
};

/** The reason as it is stored. */
export const serialiseReason = (reason: AttemptReason | EmailReason | SmsReason | null): string | null =>
  reason === null ? null : JSON.stringify(reason);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
