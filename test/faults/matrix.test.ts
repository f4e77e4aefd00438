import { beforeAll, expect, test } from '@jest/globals';
import { runFaultMatrix, type FaultOutcome } from '../soak/faults/matrix.js';
import { faultAdapters, faultCells } from '../soak/faults/scenarios.js';

/** One in `npm test`, ten in `npm run soak -- rounds`. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);

let outcomes: FaultOutcome[];
beforeAll(async () => {
  outcomes = await runFaultMatrix(rounds);
}, 7_200_000);

/** How long requests took is for `npm run soak -- faults` to say: here it would depend on the machine. */
test.each(faultCells.map(({ trial, adapter }) => [trial.title, adapter.title]))(
  'a console that is: %s (%s): controller and records agree afterwards, nothing is recorded twice',
  (trial, adapter) => {
    const outcome = outcomes.find((one) => one.trial === trial && one.adapter === adapter);
    expect(outcome).toMatchObject({
      orders: 4 * rounds,
      met: 2 * rounds,
      disagree: 0,
      twice: 0,
      openIntents: 0,
    });
    const { statuses = {}, made = 0, recorded = 0 } = outcome ?? {};
    // 503: on a busy machine the service itself may have no time for an order; it makes nothing then.
    const documented = ['201', '500', '502', '503'];
    expect(Object.keys(statuses).filter((status) => !documented.includes(status))).toEqual([]);
    expect(recorded).toBe(made);
  },
);

// Orders in a database open a connection each, which a busy machine may not manage in this deadline: see `lostAnswers`.
test.each(faultAdapters.filter(({ faults }) => !faults).map(({ title }) => title))(
  '%s: orders beside the faults are fulfilled',
  (adapter) => {
    // Not for each fault: on a busy machine all orders of one may end at their deadline.
    const answers = outcomes
      .filter((one) => one.adapter === adapter)
      .map(({ statuses }) => statuses['201'] ?? 0);
    expect(answers.filter((count) => count > 0).length).toBeGreaterThan(0);
  },
);
