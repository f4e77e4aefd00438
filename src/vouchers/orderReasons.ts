import { ControllerError, OutcomeUnknown, SettingsError } from '../controllers/errors.js';
import { describeStoredFailure } from '../controllers/failureMessages.js';
import { toStoredFailure, type StoredFailure } from '../controllers/storedFailure.js';
import type { Texts } from '../i18n/language.js';
import { isMessage, wordMessage, type Message } from '../i18n/messages.js';
import { SecretError } from '../secrets/encryption.js';

/**
 * Why an order of the web UI failed, or is not complete.
 * Stored as code and values, and worded where it is shown.
 */
export type OrderReason =
  | Message<'order'>
  /** Its values are the failure, without what only the operator may know. */
  | { readonly code: 'controller-failed'; readonly values: StoredFailure };

/** The reason for a failed call to a controller. */
export const toOrderReason = (error: unknown): OrderReason => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return { code: 'controller-failed', values: toStoredFailure(error.failure) };
  if (error instanceof SecretError || error instanceof SettingsError)
    return { code: 'settings-unusable', values: {} };
  return { code: 'unexpected', values: {} };
};

/** The reason in every language. A code of a later version is shown as unexpected. */
export const describeOrderReason = (reason: OrderReason): Texts => {
  const unexpected = wordMessage('order', { code: 'unexpected', values: {} });
  if (reason.code === 'controller-failed') return describeStoredFailure(reason.values) ?? unexpected;
  return isMessage('order', reason) ? wordMessage('order', reason) : unexpected;
};
