import { expect } from '@jest/globals';
import { pino, type Logger } from 'pino';
import type { FaultKind } from '../../../simulators/unifi/faults.js';
import { inspectAll } from '../../support/inspectAll.js';

/** Longer than an error may be. */
export const long = 'x'.repeat(65_536);
export const words = Array.from({ length: 40 }, (_, index) => `Wort${String(index)}`).join(' ');

export const faults: readonly FaultKind[] = ['reset-before', 'bad-gateway', 'truncated', 'wrong-json'];

/** What failed is an error that callers know, and says no more than people read. */
export const expectErrorsOfOurs = (outcomes: readonly unknown[], ...others: readonly string[]): void => {
  for (const outcome of outcomes) {
    if (!(outcome instanceof Error)) continue;
    expect(['ControllerError', 'OutcomeUnknown', ...others]).toContain(outcome.name);
    expect(outcome.message.length).toBeLessThan(500);
  }
};

/** A log, and its lines. */
export const makeLog = (): { lines: string[]; log: Logger } => {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) };
};

export const expectNone = (secrets: readonly string[], said: readonly unknown[]): void => {
  const text = said.map((one) => (typeof one === 'string' ? one : inspectAll(one))).join('\n');
  for (const secret of secrets) expect(text).not.toContain(secret);
};
