import { CommanderError } from 'commander';
import { ConfigError } from '../config/configError.js';
import { CodedError } from '../errors/codedError.js';
import { formatProgramCall } from '../lib/commandLine.js';
import { sanitizeLine } from '../lib/label.js';
import { publicText } from '../lib/publicText.js';
import { exitStatusOf } from './exitStatus.js';
import { CommandError, type Io } from './io.js';

/** What a command tells of its error. */
interface ErrorReport {
  readonly code: string;
  readonly message: string;
  /** What to do about it, one alternative per line. */
  readonly remedy?: string;
}

/**
 * Prints the error of a command: for people as a line or a few, with `--json` as one line of JSON. Returns
 * the exit status.
 */
export const printError = (io: Io, error: unknown, { json }: { readonly json: boolean }): number => {
  const status = exitStatusOf(error);
  if (status === 0) return status;
  const report = toReport(error);
  if (json) io.err(`${JSON.stringify({ error: { ...report, status } })}\n`);
  else io.err(formatReport(report, error));
  return status;
};

const toReport = (error: unknown): ErrorReport => {
  if (error instanceof CommanderError) return describeUsageError(error);
  const message = sanitizeLine(publicText(error));
  if (error instanceof CommandError) {
    const remedy = error.remedy ?? error.commands.join('\n');
    return { code: error.code, message, ...(remedy !== '' && { remedy }) };
  }
  if (error instanceof ConfigError) {
    const { variable, allowed } = error.setting ?? {};
    const remedy = variable === undefined ? '' : `set ${variable}: ${allowed ?? ''}`;
    return { code: `setting-${error.code}`, message, ...(remedy !== '' && { remedy }) };
  }
  return { code: error instanceof CodedError ? String(error.code) : 'internal', message };
};

const describeUsageError = ({ code, message }: CommanderError): ErrorReport => ({
  code: 'usage',
  // A group without a command has shown its help, which commander calls an error without a text.
  message: code === 'commander.help' ? 'a command is missing' : toUsageMessage(message),
  remedy: formatProgramCall('--help'),
});

/** What commander says of a command line, as one line. */
const toUsageMessage = (text: string): string =>
  text
    .replace(/^error: /, '')
    // The value of an unknown option may be a secret.
    .replace(/'(--[\w-]+)=.*'/s, "'$1'")
    .split('\n')
    .map(sanitizeLine)
    .join(' ')
    .trim();

const formatReport = ({ message }: ErrorReport, error: unknown): string => {
  if (error instanceof CommanderError)
    return error.code === 'commander.help' ? '' : `voucherd: ${message} (--help says what is allowed)\n`;
  if (!(error instanceof CommandError)) return `voucherd: ${message}\n`;
  const see = error.remedy === undefined ? '' : `: ${error.remedy}`;
  return `voucherd: ${message}${see}\n${error.commands.map((command) => `  ${command}\n`).join('')}`;
};
