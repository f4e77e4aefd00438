import type { ConsoleOptions, Fault } from '../../../simulators/unifi/console.js';

/** One thing that goes wrong with a console. */
export interface Trial {
  readonly title: string;
  readonly fault: Fault;
  readonly console?: ConsoleOptions;
}

/** How long a controller may take in these trials. */
export const deadlineMs = 2000;

const hoursMs = 3_600_000;

export const trials: readonly Trial[] = [
  { title: 'slow, in time', fault: { kind: 'slow', delayMs: 200 } },
  { title: 'slow, too late', fault: { kind: 'slow', delayMs: 2 * deadlineMs } },
  { title: 'hangs', fault: { kind: 'hang' } },
  { title: 'reset before the commit', fault: { kind: 'reset-before' } },
  { title: 'reset after the commit', fault: { kind: 'reset-after' } },
  { title: '502 with HTML', fault: { kind: 'bad-gateway' } },
  { title: 'truncated answer', fault: { kind: 'truncated' } },
  { title: 'JSON of another shape', fault: { kind: 'wrong-json' } },
  { title: 'throttled', fault: { kind: 'throttled' } },
  { title: 'no list of vouchers', fault: { kind: 'no-list' } },
  { title: 'an empty list', fault: { kind: 'empty-list' } },
  { title: 'a voucher without a code', fault: { kind: 'no-code' } },
  { title: 'a voucher without an id', fault: { kind: 'no-id' } },
  {
    title: 'name cut, reset after',
    fault: { kind: 'reset-after' },
    console: { keepNote: (note) => note.slice(0, 24) },
  },
  {
    title: 'clock 3 h behind, reset after',
    fault: { kind: 'reset-after' },
    console: { clock: () => Date.now() - 3 * hoursMs },
  },
  {
    title: 'clock 3 h ahead, reset after',
    fault: { kind: 'reset-after' },
    console: { clock: () => Date.now() + 3 * hoursMs },
  },
];
