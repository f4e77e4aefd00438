import { expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { optionsOf } from './stageRun.js';
import { startWebService, webContract } from './webService.js';

/** Requests of conformance, generated and security, at most. */
const most = [2500, 3920, 700];

// Each request costs some 10 ms of processor time, of the run and of the service: docs/contract-run.md says what a run
// costs. `npm run soak -- pages` tries whether everything in this contract is tried.
test('the contract of the pages takes no more requests than were measured', async () => {
  const service = await startWebService();
  const local = localTargetOn(webContract, service);
  try {
    const options = optionsOf('--runs', '200');
    const requestsOf = ({ estimate }: Stage): number =>
      estimate?.(webContract, local, options).requests ?? Infinity;
    const counted = [conformance, generated, security].map(requestsOf);
    expect(counted.map((count, index) => Math.max(count, most[index] ?? 0))).toEqual(most);
  } finally {
    await local.close();
    await service.close();
  }
});
