import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';
import { makeLogOutput, openStandardOutput } from './logOutput.js';
import { publicText } from '../lib/problem.js';

export type Log = Logger;

/** What the log says of each request: never a key, a body, a code or a query. */
export interface RequestLine {
  readonly reqId: string;
  readonly operation: string;
  readonly method: string | undefined;
  readonly status: number;
  readonly ms: number;
  readonly key: string | undefined;
}

export type LogRequest = (line: RequestLine) => void;

export interface OpenedLog {
  readonly log: Log;
  readonly logRequest: LogRequest;
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
  const timestamp = makeIsoTime();
  const log: Log = process.stdout.isTTY
    ? pino({ ...pinoOptions, level }, await makeReadableLines(write))
    : pino({ ...pinoOptions, level, timestamp }, { write });
  const logRequest: LogRequest = process.stdout.isTTY
    ? (line) => log.info(line)
    : (line) => write(toRequestLine(line, timestamp()));
  return { log, logRequest: log.isLevelEnabled('info') ? logRequest : () => undefined, dropped, end };
};

/** As pino would write it, which looks at each property anew and needs a tenth of the time of a list for that. */
const toRequestLine = ({ reqId, operation, method, status, ms, key }: RequestLine, time: string): string =>
  `{"level":${String(pino.levels.values['info'])}${time},"reqId":${JSON.stringify(reqId)},"operation":${JSON.stringify(operation)}` +
  `${method === undefined ? '' : `,"method":${JSON.stringify(method)}`},"status":${String(status)},"ms":${String(ms)}` +
  `${key === undefined ? '' : `,"key":${JSON.stringify(key)}`}}\n`;

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

/** Many lines are written in the same millisecond. */
const makeIsoTime = (): (() => string) => {
  let [last, text] = [0, ''];
  return () => {
    const now = Date.now();
    if (now !== last) [last, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
};

/** What a controller said or did not say: where in the program it was noticed helps nobody. */
const expectedErrors = ['ControllerError', 'OutcomeUnknown'];

/** An exception with the text that a client may read and where it came from; none of its other properties. */
const safeError = (error: unknown): unknown => {
  if (!types.isNativeError(error)) return publicText(error);
  const said = { type: error.name, message: publicText(error) };
  return expectedErrors.includes(error.name)
    ? { ...said, ...('trouble' in error && { trouble: String(error.trouble) }) }
    : { ...said, stack: error.stack?.match(/^ +at .*$/gm)?.join('\n') };
};

const pinoOptions = { base: null, serializers: { err: safeError } };
