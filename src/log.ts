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

/** An exception with the text that a client may read and where it came from; none of its other properties. */
const safeError = (error: unknown): unknown =>
  types.isNativeError(error)
    ? { type: error.name, message: publicText(error), stack: error.stack?.match(/^ +at .*$/gm)?.join('\n') }
    : publicText(error);

const options = { base: null, serializers: { err: safeError } };
