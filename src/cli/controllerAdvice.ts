import { ControllerError, OutcomeUnknown, SettingsError } from '../controllers/controller.js';
import { englishText } from '../controllers/english.js';
import { wordFailure, type FailureValues, type Wording } from '../controllers/failure.js';
import { publicText } from '../problem.js';
import { SecretError } from '../secrets.js';
import { commandLine } from './commandLine.js';
import { plain } from './io.js';
import { quoted } from './shellWord.js';

/** What is wrong with a controller, and what to do about it. */
export interface Explained {
  readonly says: string;
  /** One way per line. */
  readonly advice: string;
}

/** The command that pins, when the certificate is the right one. */
const pinCommand = (fingerprint: string | undefined, name: string): string =>
  fingerprint === undefined
    ? commandLine(`controller pin ${name}`)
    : commandLine(`controller pin ${name} --fingerprint ${fingerprint}`);

const certificateAdvice = (failure: FailureValues['certificate'], name: string): string => {
  const pin = `if the controller itself shows the same fingerprint: ${pinCommand(failure.fingerprint, name)}`;
  switch (failure.reason) {
    case 'self-signed':
    case 'other':
      return pin;
    case 'unknown-ca':
      return `trust that CA: ${commandLine(`controller set ${name} --ca-file F`)}\nor, ${pin}`;
    case 'expired':
      return `renew it on the controller, and check the clock of this machine; a pinned certificate is trusted although it has expired: ${pin}`;
    case 'not-yet-valid':
      return `check the clocks of this machine and of the controller; a pinned certificate is trusted before its time: ${pin}`;
    case 'host-name':
      return `use an address that it is for: ${commandLine(`controller set ${name} --url U`)}\nor, ${pin}`;
  }
};

/** What to do about each kind of trouble. The controller's name is quoted. */
const advice: Wording<string> = {
  unreachable: () =>
    `check its address and port (${commandLine('controller list')}), that it runs, and the firewall on the way`,
  timeout: () =>
    'find out what keeps it busy, or restart it when it hangs; if it is only slow, raise CONTROLLER_DEADLINE_S',
  disconnected: () => 'try again; should it come again, look for a proxy on the way, or into its own log',
  certificate: (failure, name) => certificateAdvice(failure, name),
  'other-certificate': ({ fingerprint }, name) =>
    `find out why it changed; only if the controller itself shows the same one: ${pinCommand(fingerprint, name)}`,
  credentials: (_, name) => commandLine(`controller credentials ${name}`),
  'two-factor': (_, name) =>
    `make a local account without one, and then: ${commandLine(`controller credentials ${name} --username U`)}`,
  'locked-out': () => 'wait three minutes, with nothing else signing in as this account, and try again',
  permission: () => 'give it a role that may manage vouchers: administrator of the site, or hotspot manager',
  site: (_, name) => `${commandLine(`controller test ${name}`)} lists those there are`,
  bounds: () => 'order with another value',
  throttled: () => 'wait a minute; should it come again, find out what else asks it',
  resting: () => 'find out why it fails; it is asked again by itself',
  late: () => 'find out why it is slow, or raise CONTROLLER_DEADLINE_S',
  refused: ({ reason }) =>
    reason === 'too-old' || reason === 'no-vouchers'
      ? 'update it, or add it as a controller of the kind unifi-classic'
      : 'do what it says, or look into its own log',
  unreadable: () =>
    'check that the address is that of the console itself, and the kind; while it starts, try again in a minute',
  'not-read': () => 'look for the voucher on the controller',
};

/** Says what a failure means; undefined when it is none of a controller's. */
export const explain = (error: unknown, controllerName: string): Explained | undefined => {
  const name = quoted(controllerName);
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return {
      says: plain(publicText(englishText(error.failure))),
      advice: wordFailure(advice, error.failure, name),
    };
  if (error instanceof SecretError)
    return {
      says: 'its credentials were sealed with another key or for another address',
      advice: `put that key back (SECRET_KEY, or secret.key in DATA_DIR), or: ${commandLine(`controller credentials ${name}`)}`,
    };
  if (error instanceof SettingsError)
    return {
      says: `its settings can not be used: ${error.message}`,
      advice: settingsAdvice(error, name),
    };
  return undefined;
};

/** What can be mended in place is: whoever removes a controller ends its sites. */
const settingsAdvice = ({ message }: SettingsError, name: string): string => {
  if (/^(api-key|username|password):/.test(message)) return commandLine(`controller credentials ${name}`);
  const option = /^(url|fingerprint|ca-file|max-calls|fault):/.exec(message)?.[1];
  return option === undefined
    ? 'remove it and add it again'
    : `${commandLine(`controller set ${name} --${option}`)}, with a value that is allowed`;
};

/** One line of it. */
export const explainShortly = (error: unknown, controllerName: string): string =>
  explain(error, controllerName)?.says ?? publicText(error);
