import { ControllerError, OutcomeUnknown, SettingsError, type Trouble } from '../controllers/controller.js';
import { publicText } from '../problem.js';
import { SecretError } from '../secrets.js';
import { plain } from './io.js';
import { quoted } from './shellWord.js';

/** What is wrong with a controller, and what to do about it. */
export interface Explained {
  readonly says: string;
  readonly advice: string;
}

type Explain = (name: string, error: ControllerError) => Explained;

const told = ({ message }: ControllerError): string => `: ${plain(publicText(new Error(message)))}`;

/** The adapter's own words follow where they say more than the kind of trouble. They are a client's, so German. */
const byTrouble: Readonly<Record<Trouble, Explain>> = {
  unreachable: (_, error) => ({
    says: `it can not be reached${told(error)}`,
    advice:
      'check its address and port (voucherd controller list), that it runs, and the firewall on the way',
  }),
  certificate: (name, { fingerprint }) =>
    fingerprint === undefined
      ? { says: 'its certificate is not trusted', advice: `voucherd controller pin ${name}` }
      : {
          says: `its certificate is not trusted; its SHA-256 fingerprint is ${fingerprint}`,
          advice: `if the controller itself shows the same one: voucherd controller pin ${name} --fingerprint ${fingerprint}`,
        },
  'other-certificate': (name, { fingerprint }) => ({
    says: `it shows another certificate than the pinned one: ${fingerprint ?? 'none'}`,
    advice: `find out why it changed; only if the controller itself shows the same one: voucherd controller pin ${name}${fingerprint === undefined ? '' : ` --fingerprint ${fingerprint}`}`,
  }),
  credentials: (name) => ({
    says: 'it refuses the user, the password or the API key',
    advice: `voucherd controller credentials ${name}`,
  }),
  'two-factor': (name) => ({
    says: 'the account wants a second factor, which a service does not have',
    advice: `make a local account without one, and then: voucherd controller credentials ${name} --username U`,
  }),
  'locked-out': () => ({
    says: 'it lets nobody sign in for a while, because there were too many attempts',
    advice: 'wait three minutes, with nothing else signing in as this account, and try again',
  }),
  permission: (_, error) => ({
    says: `the account or the API key may not do this${told(error)}`,
    advice: 'give it a role that may manage vouchers: administrator of the site, or hotspot manager',
  }),
  site: (name, error) => ({
    says: `it has no such site${told(error)}`,
    advice: `voucherd controller test ${name} lists those there are`,
  }),
  bounds: (_, error) => ({
    says: `a value is outside of what it takes${told(error)}`,
    advice: 'order with another value',
  }),
  throttled: (_, error) => ({
    says: `it was asked too often${told(error)}`,
    advice: 'wait a minute; should it come again, find out what else asks it',
  }),
  resting: (_, error) => ({
    says: `it failed several times in a row and is left alone${told(error)}`,
    advice: 'find out why it fails; it is asked again by itself',
  }),
  late: (_, error) => ({
    says: `there was no time left to ask it${told(error)}`,
    advice: 'find out why it is slow, or raise CONTROLLER_DEADLINE_S',
  }),
  refused: (_, error) => ({
    says: `it said no${told(error)}`,
    advice: 'do what it says, or look into its own log',
  }),
  unreadable: (_, error) => ({
    says: `its answer can not be read${told(error)}`,
    advice:
      'check that the address is that of the console itself, and the kind; while it starts, try again in a minute',
  }),
};

/** Says what a failure means; undefined when it is none of a controller's. */
export const explain = (error: unknown, controllerName: string): Explained | undefined => {
  const name = quoted(controllerName);
  if (error instanceof ControllerError) return byTrouble[error.trouble](name, error);
  if (error instanceof OutcomeUnknown)
    return {
      says: `it did not answer to the end: ${plain(publicText(error))}`,
      advice: 'try again; should it come again, look for a proxy on the way, or for what keeps it busy',
    };
  if (error instanceof SecretError)
    return {
      says: 'its credentials were sealed with another key',
      advice: `put that key back (SECRET_KEY, or secret.key in DATA_DIR), or: voucherd controller credentials ${name}`,
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
  if (/^(api-key|username|password):/.test(message)) return `voucherd controller credentials ${name}`;
  const option = /^(url|fingerprint|ca-file|max-calls|fault):/.exec(message)?.[1];
  return option === undefined
    ? 'remove it and add it again'
    : `voucherd controller set ${name} --${option}, with a value that is allowed`;
};

/** One line of it. */
export const explainShortly = (error: unknown, controllerName: string): string =>
  explain(error, controllerName)?.says ?? publicText(error);
