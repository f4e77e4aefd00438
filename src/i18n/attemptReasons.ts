import type { Texts } from './language.js';
import { isMessage, wordMessage, type Message } from './messages.js';

/** Why a delivery attempt failed. */
export type AttemptReason = Message<'attempt'>;

/** The reason in both languages; the log and the command line use the English text. */
export const describeReason = (reason: AttemptReason | null): Texts =>
  reason === null ? { de: '', en: '' } : wordMessage('attempt', reason);

/** Reads a stored reason. Earlier versions stored an English sentence, which is shown as it is. */
export const parseReason = (stored: string | null): AttemptReason | null => {
  if (stored === null) return null;
  const parsed = parseJson(stored);
  return isMessage('attempt', parsed) ? parsed : { code: 'text', values: { text: stored } };
};

/** The reason as it is stored. */
export const serialiseReason = (reason: AttemptReason | null): string | null =>
  reason === null ? null : JSON.stringify(reason);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
