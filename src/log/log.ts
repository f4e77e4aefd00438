import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';
import { makeLogOutput, openStandardOutput } from './logOutput.js';
import { publicText } from '../lib/publicText.js';
import { nodeSystem, type Clock } from '../lib/system.js';
import { CodedError } from '../errors/codedError.js';

export type Log = Logger;

export interface OpenedLog {
  readonly log: Log;
  /** How many lines were dropped because standard output was not read. */
  dropped(): number;
  /** After the last line. */
  end(): void;
}

/** JSON lines on standard output, or readable ones on a terminal. */
export const openLog = async (level: string): Promise<OpenedLog> => {
  const { write, dropped, end } = makeLogOutput({
    fd: openStandardOutput(),
    onRecovery: (missed) => {
      log.warn({ dropped: missed }, 'log lines were dropped: standard output is not being read');
    },
  });
  const log: Log = process.stdout.isTTY
    ? pino({ ...pinoOptions, level }, await makeReadableLines(write))
    : pino({ ...pinoOptions, level, timestamp: makeIsoTime(nodeSystem) }, { write });
  return { log, dropped, end };
};

/**
 * The time of a line, as pino wants it. Lines of one
 * millisecond share its text, which takes 3 % of a short read.
 */
export const makeIsoTime = (clock: Clock): (() => string) => {
  let [last, text] = [NaN, ''];
  return () => {
    const now = clock.now();
    if (now !== last) [last, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
};

/** Only a terminal needs the library. */
const makeReadableLines = async (write: (line: string) => void): Promise<DestinationStream> => {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ singleLine: true });
  return {
    write: (line) => {
      write(format(line));
    },
  };
};

/** An exception with the text that a client may read and where it came from; none of its other properties. */
const safeError = (error: unknown): unknown => {
  if (!types.isNativeError(error)) return publicText(error);
  const said = {
    type: error.name,
    message: publicText(error),
    ...(error instanceof CodedError && { code: String(error.code) }),
  };
  return error instanceof CodedError && !error.isTraced
    ? said
    : { ...said, stack: error.stack?.match(/^ +at .*$/gm)?.join('\n') };
};

export const pinoOptions = { base: null, serializers: { err: safeError } };
