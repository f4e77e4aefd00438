import { expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import { examples } from '../../tools/contract/src/examples/examples.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { failuresOf, optionsOf, runStagesAlone } from './stageRun.js';
import { servedWebContract, startWebService, webContract } from './webService.js';

/** Thousands of requests: more than ten times what they take alone. */
const timeoutMs = 1_800_000;

/** Requests of conformance, generated and security, at most. */
const most = [2500, 3920, 700];

/** Why a run leaves something out. There is no other reason. */
const knownReasons = [
  'a service of the run has a mail server',
  'single sign-on is off in a run, and nothing of it fails then',
  'a new key has not been used',
  'a new controller has no sites, and was not called yet',
  'a new webhook was not switched off and has no deliveries',
  'a list of orders is without vouchers',
  'the files of a run are complete too soon to have five at a time',
  'a new e-mail was not tried yet',
  'a new SMS was not tried yet',
  'the puzzle is checked before the database is asked',
  'the environment of a run sets no provider',
  'the example site has no network and asks for no paper',
];

const startPages = async () => {
  const service = await startWebService();
  const local = localTargetOn(webContract, service);
  const close = async (): Promise<void> => {
    await local.close();
    await service.close();
  };
  return { local, close };
};

// Each request costs some 10 ms of processor time, of the run and of the service: docs/contract-run.md says what a run costs.
test('the contract of the pages takes no more requests than were measured', async () => {
  const { local, close } = await startPages();
  try {
    const options = optionsOf('--runs', '200');
    const requestsOf = ({ estimate }: Stage): number =>
      estimate?.(webContract, local, options).requests ?? Infinity;
    const counted = [conformance, generated, security].map(requestsOf);
    expect(counted.map((count, index) => Math.max(count, most[index] ?? 0))).toEqual(most);
  } finally {
    await close();
  }
});

test(
  'everything in the contract of the pages is tried, or has a reason why not',
  async () => {
    const { local, close } = await startPages();
    // One value of each field shows that it is tried; `npm run contract` tries all of them.
    const one = webContract.operations.map(({ id }) => [id, { ...local.hints[id], maxSamples: 1 }]);
    const target = { ...local, hints: Object.fromEntries(one) };
    try {
      const result = await runStagesAlone([examples, conformance, generated], {
        served: servedWebContract(),
        contract: webContract,
        options: optionsOf('--runs', '1'),
        target: () => Promise.resolve(target),
      });
      expect(failuresOf(result)).toEqual({});
      const { cells, reasons } = result.coverage;
      expect(cells.filter(({ state }) => state === 'untested')).toEqual([]);
      expect([...reasons].sort()).toEqual([...knownReasons].sort());
    } finally {
      await close();
    }
  },
  timeoutMs,
);
