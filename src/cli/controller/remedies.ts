import { describeInEnglish } from '../../controllers/failureMessages.js';
import {
  ControllerError,
  OutcomeUnknown,
  SettingsError,
  type SettingName,
} from '../../controllers/errors.js';
import { describeFailure, type FailureTexts, type FailureValues } from '../../controllers/failure.js';
import { publicText } from '../../lib/publicText.js';
import { SecretError } from '../../secrets/encryption.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { sanitizeLine } from '../../lib/label.js';

/** What is wrong with a controller, and what to do about it. */
export interface Explanation {
  readonly message: string;
  /** One alternative per line. */
  readonly remedy: string;
}

/** The command that pins a certificate. */
const pinCommand = (fingerprint: string | undefined, name: string): string =>
  fingerprint === undefined
    ? formatCommandLine(`controller pin ${name}`)
    : formatCommandLine(`controller pin ${name} --fingerprint ${fingerprint}`);

const certificateRemedy = (failure: FailureValues['certificate'], name: string): string => {
  const pin = `if the controller itself shows the same fingerprint: ${pinCommand(failure.fingerprint, name)}`;
  switch (failure.reason) {
    case 'self-signed':
    case 'other':
      return pin;
    case 'unknown-ca':
      return `trust that CA: ${formatCommandLine(`controller set ${name} --ca-file F`)}\nor, ${pin}`;
    case 'expired':
      return `renew it on the controller, and check the clock of this machine; a pinned certificate is trusted although it has expired: ${pin}`;
    case 'not-yet-valid':
      return `check the clocks of this machine and of the controller; a pinned certificate is trusted before its time: ${pin}`;
    case 'host-name':
      return `use an address that it is for: ${formatCommandLine(`controller set ${name} --url U`)}\nor, ${pin}`;
  }
};

/** What to do about each kind of failure. The controller's name comes quoted. */
const remedies: FailureTexts<string> = {
  unreachable: () =>
    `check its address and port (${formatCommandLine('controller list')}), that it runs, and the firewall in between`,
  timeout: () =>
    'find out what keeps it busy, or restart it when it hangs; if it is only slow, raise CONTROLLER_DEADLINE_S',
  disconnected: () => 'try again; if it fails again, look for a proxy in between, or see its own log',
  certificate: (failure, name) => certificateRemedy(failure, name),
  'other-certificate': ({ fingerprint }, name) =>
    `find out why it changed; only if the controller itself shows the same one: ${pinCommand(fingerprint, name)}`,
  credentials: (_, name) => formatCommandLine(`controller credentials ${name}`),
  'two-factor': (_, name) =>
    `make a local account without one, and then: ${formatCommandLine(`controller credentials ${name} --username U`)}`,
  'locked-out': () => 'wait three minutes, with nothing else signing in as this account, and try again',
  permission: () =>
    'give it the right to manage vouchers: in UniFi the role of administrator of the site, or hotspot manager',
  site: (_, name) => `${formatCommandLine(`controller test ${name}`)} lists those there are`,
  bounds: () => 'order with another value',
  throttled: () => 'wait a minute; should it come again, find out what else asks it',
  'circuit-open': () => 'find out why it fails; it is retried automatically',
  deadline: () => 'find out why it is slow, or raise CONTROLLER_DEADLINE_S',
  refused: ({ reason }) =>
    reason === 'too-old' || reason === 'no-vouchers'
      ? 'update it, or add it as a controller of the kind unifi-classic'
      : 'follow its message, or see its own log',
  unreadable: () =>
    'check that the address is that of the controller itself, and the kind; while it starts, try again in a minute',
  'not-read': () => 'look for the voucher on the controller',
};

/** Explains an error of a controller; undefined for other errors. */
export const explainControllerError = (error: unknown, controllerName: string): Explanation | undefined => {
  const name = toQuotedWord(controllerName);
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return {
      message: sanitizeLine(publicText(describeInEnglish(error.failure))),
      remedy: describeFailure(remedies, error.failure, name),
    };
  if (error instanceof SecretError)
    return {
      message: 'its credentials were sealed with another key or for another address',
      remedy: `put that key back (SECRET_KEY, SECRET_KEY_FILE, or secret.key in DATA_DIR), or: ${formatCommandLine(`controller credentials ${name}`)}`,
    };
  if (error instanceof SettingsError)
    return {
      message: `its settings can not be used: ${error.message}`,
      remedy: settingsRemedy(error, name),
    };
  return undefined;
};

/** Repairs in place where possible: removing a controller ends its sites. */
const settingsRemedy = ({ code }: SettingsError, name: string): string => {
  if (credentialSettings.has(code)) return formatCommandLine(`controller credentials ${name}`);
  return settingsWithOption.has(code)
    ? `${formatCommandLine(`controller set ${name} --${code}`)}, with a value that is allowed`
    : 'remove it and add it again';
};

const credentialSettings = new Set<SettingName>([
  'api-key',
  'username',
  'password',
  'client-id',
  'client-secret',
  'credentials',
]);
const settingsWithOption = new Set<SettingName>(['url', 'fingerprint', 'ca-file', 'max-calls', 'fault']);

/** The explanation as one line, without the remedy. */
export const summarizeControllerError = (error: unknown, controllerName: string): string =>
  explainControllerError(error, controllerName)?.message ?? publicText(error);
