import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { startFaultInjectionProxy, type Defect } from '../support/faultInjectionProxy.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { casesOf, contract, onlyStatus, optionsOf, runStagesAlone } from './stageRun.js';
import { withBody } from './throughDefect.js';

let service: LocalService;
beforeAll(async () => {
  service = await startLocalServiceInProcess();
});
afterAll(() => service.close());

/** A short run: every documented status, one value of each field, and one request of chance. */
const runThrough = async (defect: Defect, stages: readonly Stage[], part = contract) => {
  const proxy = await startFaultInjectionProxy(service.url, defect);
  const local = localTargetOn(part, service, proxy.url);
  const few = part.operations.map(({ id }) => [id, { ...local.hints[id], maxSamples: 1 }]);
  const target = { ...local, hints: Object.fromEntries(few) };
  try {
    const result = await runStagesAlone(stages, {
      contract: part,
      options: optionsOf('--runs', '1'),
      target: () => Promise.resolve(target),
    });
    return { notPassed: casesOf(result).filter(({ outcome }) => outcome !== 'passed'), ...result };
  } finally {
    await target.close();
    await proxy.stop();
  }
};

test('the service gives every answer that openapi.yaml documents, with every field, and reads every field', async () => {
  const { notPassed, coverage } = await runThrough({}, [conformance, generated]);
  expect(notPassed).toEqual([]);
  expect(coverage.cells.length).toBeGreaterThan(40);
  expect(coverage.cells.filter(({ state }) => state !== 'tested')).toEqual([]);
});

test('a service that leaves out a documented field is found: one failure with its place', async () => {
  const defect: Defect = {
    answer: (answer) =>
      answer.status === 201 ? withBody(answer, ({ formatted_code: _, ...body }) => body) : answer,
  };
  const { notPassed } = await runThrough(defect, [conformance], onlyStatus('createVoucher', 201));
  expect(notPassed.filter(({ sameAs }) => !sameAs)).toMatchObject([
    {
      name: 'createVoucher 201 with the request of the example',
      outcome: 'failed',
      problem: {
        what: expect.stringMatching(/does not fit its schema: .*formatted_code/),
        at: expect.stringMatching(/^openapi\.yaml:\d+:\d+$/),
      },
    },
  ]);
});
