import { CommanderError } from 'commander';
import { ConfigError } from '../config/configError.js';
import { CodedError, type ErrorKind } from '../errors/codedError.js';

/** How a command ends, and what a script can do about it. The documents list them. */
export const exitStatuses = {
  success: { status: 0, meaning: 'success' },
  failed: {
    status: 1,
    meaning:
      'the command has done its work, and the result is not a success: checks that fail, vouchers that were not revoked',
  },
  usage: {
    status: 2,
    meaning: 'the command line is wrong, or a value or a file that it names is missing or not allowed',
  },
  configuration: { status: 3, meaning: 'a setting can not be used' },
  missing: {
    status: 4,
    meaning: 'there is no such site, user, controller, key, webhook, delivery or database',
  },
  refused: {
    status: 5,
    meaning: 'the state of the service does not allow it: a name is taken, orders are open',
  },
  unavailable: {
    status: 6,
    meaning: 'the database, a controller or another server can not be reached or used',
  },
  busy: { status: 7, meaning: 'too much at once, or no answer in time: the same may succeed in a moment' },
  internal: { status: 70, meaning: 'an error that nobody has foreseen: please report it' },
  interrupted: {
    status: 130,
    meaning: 'interrupted, by Ctrl-C for instance; by a second signal also `serve`',
  },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly meaning: string }>>;

type Ending = keyof typeof exitStatuses;

const endings: Readonly<Record<ErrorKind, Ending>> = {
  invalid: 'usage',
  missing: 'missing',
  refused: 'refused',
  busy: 'busy',
  unavailable: 'unavailable',
  failed: 'failed',
};

/** Errors that mean that an answer did not come in time, whichever class they have. */
const timeoutCodes = new Set(['timeout', 'deadline', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

const endingOf = (error: unknown): Ending => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'success' : 'usage';
  if (error instanceof ConfigError) return 'configuration';
  if (!(error instanceof CodedError)) return 'internal';
  return endingOfCode(String(error.code), error.kind);
};

const endingOfCode = (code: string, kind: ErrorKind): Ending => {
  if (code === 'interrupted') return 'interrupted';
  return timeoutCodes.has(code) ? 'busy' : endings[kind];
};

/** The status of an error with this code, for the documents. */
export const exitStatusOfCode = (code: string, kind: ErrorKind): number =>
  exitStatuses[endingOfCode(code, kind)].status;

/** The status that a command ends with because of an error. */
export const exitStatusOf = (error: unknown): number => exitStatuses[endingOf(error)].status;
