import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { publicText } from './problem.js';

export type Log = Logger;

/** JSON lines on standard output, or readable ones on a terminal. */
export const makeLog = (level: string): Log =>
  process.stdout.isTTY
    ? pino({ ...options, level }, PinoPretty({ sync: true, singleLine: true }))
    : pino({ ...options, level, timestamp: pino.stdTimeFunctions.isoTime }, standardOutput());

/** A full disk or a closed pipe behind standard output loses lines; it must not end the service. */
const standardOutput = (): DestinationStream => {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: 1024 * 1024 });
  destination.on('error', () => undefined);
  return destination;
};

/** What a controller said or did not say: where in the program it was noticed helps nobody. */
const expected = ['ControllerError', 'OutcomeUnknown'];

/** An exception with the text that a client may read and where it came from; none of its other properties. */
const safeError = (error: unknown): unknown => {
  if (!types.isNativeError(error)) return publicText(error);
  const said = { type: error.name, message: publicText(error) };
  return expected.includes(error.name)
    ? { ...said, ...('trouble' in error && { trouble: String(error.trouble) }) }
    : { ...said, stack: error.stack?.match(/^ +at .*$/gm)?.join('\n') };
};

const options = { base: null, serializers: { err: safeError } };
