import type { Texts } from '../i18n/language.js';
import { toTexts, wordMessage, type Message } from '../i18n/messages.js';
import { SecretError } from '../secrets/encryption.js';
import { ControllerError, OutcomeUnknown, SettingsError, type SettingName } from './errors.js';
import type { Failure, FailureValues } from './failure.js';
import { toFailureMessage } from './failureMessages.js';

/** Why a controller can't be used, for the operator. It is shown beside the name of the controller. */
export type ControllerProblem = Message<'controllerProblem'>;

export const toControllerProblem = (error: unknown): ControllerProblem =>
  error instanceof ControllerError || error instanceof OutcomeUnknown
    ? { code: 'failed', values: { failureDetail: toFailureMessage(error.failure) } }
    : { code: problemCodeOf(error), values: {} };

type SettingsProblem = Exclude<ControllerProblem['code'], 'failed'>;

const problemCodeOf = (error: unknown): SettingsProblem => {
  if (error instanceof SecretError) return 'credentials-sealed';
  if (error instanceof SettingsError) return settingCodes[error.code] ?? 'settings';
  return 'unexpected';
};

/** The problem as a sentence. */
export const describeControllerProblem = (problem: ControllerProblem): Texts => {
  const texts = wordMessage('controllerProblem', problem);
  return toTexts((language) => texts[language].charAt(0).toUpperCase() + texts[language].slice(1));
};

const settingCodes: Readonly<Partial<Record<SettingName, SettingsProblem>>> = {
  url: 'url',
  fingerprint: 'fingerprint',
  'ca-file': 'ca-file',
  'api-key': 'credentials',
  username: 'credentials',
  password: 'credentials',
  'client-id': 'credentials',
  'client-secret': 'credentials',
  credentials: 'credentials',
  address: 'address',
  trust: 'trust',
};

/** What to do about it in the web UI. */
export const toControllerRemedy = (error: unknown): Message<'remedy'> | undefined => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown) return toRemedy(error.failure);
  return error instanceof SecretError ? { code: 'credentials', values: {} } : undefined;
};

const toRemedy = (failure: Failure): Message<'remedy'> => {
  switch (failure.kind) {
    case 'unreachable':
      return failure.reason === 'unknown-host' || failure.reason === 'name-service'
        ? { code: 'name', values: {} }
        : { code: 'connection', values: {} };
    case 'certificate':
      return toCertificateRemedy(failure.reason);
    case 'refused':
      return failure.reason === 'too-old' || failure.reason === 'no-vouchers'
        ? { code: 'update', values: {} }
        : { code: 'refused', values: {} };
    default:
      return { code: failure.kind, values: {} };
  }
};

const toCertificateRemedy = (reason: FailureValues['certificate']['reason']): Message<'remedy'> =>
  reason === 'self-signed' || reason === 'other'
    ? { code: 'pin', values: {} }
    : { code: reason, values: { remedy: 'pin' } };
