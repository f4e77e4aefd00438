import { beforeAll, expect, test } from '@jest/globals';
import { adapters } from '../../scripts/show/faults/adapters.js';
import { tryAll } from '../../scripts/show/faults/matrix.js';
import { trials } from '../../scripts/show/faults/trials.js';
import type { Outcome } from '../../scripts/show/faults/tryOut.js';

let outcomes: Outcome[];
beforeAll(async () => {
  outcomes = await tryAll();
}, 1_800_000);

/** How long requests took is for `npm run show:faults` to say: here it would depend on the machine. */
test.each(trials.flatMap((trial) => adapters.map((adapter) => [trial.title, adapter.title])))(
  'a console that is: %s (%s): controller and records agree afterwards, nothing is recorded twice',
  (trial, adapter) => {
    const outcome = outcomes.find((one) => one.trial === trial && one.adapter === adapter);
    expect(outcome).toMatchObject({ orders: 40, met: 20, disagree: 0, twice: 0, openIntents: 0 });
    const { statuses = {}, made = 0, recorded = 0 } = outcome ?? {};
    expect(Object.keys(statuses).filter((status) => !['201', '500', '502'].includes(status))).toEqual([]);
    expect(recorded).toBe(made);
    expect(statuses['201'] ?? 0).toBeGreaterThan(0);
  },
);
