import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cellsOf } from '../../tools/contract/src/coverage/cells.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import type { CaseResult } from '../../tools/contract/src/run/results.js';
import type { Cell } from '../../tools/contract/src/coverage/cells.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import {
  startFaultInjectionProxy,
  type Defect,
  type ProxiedRequest,
} from '../support/faultInjectionProxy.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { casesOf, contract, failuresOf, onlyOperations, optionsOf, runStageOn } from './stageRun.js';

let service: LocalService;

beforeAll(async () => {
  service = await startLocalServiceInProcess();
});
afterAll(() => service.close());

/** Runs the stage for some operations, through a defect, and returns what was sent and what failed. */
const runThrough = async (
  defect: Defect,
  ids: string[],
  runs = 40,
): Promise<{ failed: CaseResult[]; sent: ProxiedRequest[] }> => {
  const sent: ProxiedRequest[] = [];
  const proxy = await startFaultInjectionProxy(service.url, {
    ...defect,
    request: (request) => {
      sent.push(request);
      return defect.request?.(request) ?? request;
    },
  });
  const part = onlyOperations(...ids);
  const target = localTargetOn(part, service, proxy.url);
  try {
    const result = await runStageOn(
      generated,
      target,
      part,
      optionsOf('--seed', '7', '--runs', String(runs)),
    );
    return { sent, failed: casesOf(result).filter(({ outcome }) => outcome === 'failed') };
  } finally {
    await target.close();
    await proxy.stop();
  }
};

const fieldsOf = ({ body }: ProxiedRequest): Record<string, unknown> => {
  try {
    return Object(JSON.parse(String(body))) as Record<string, unknown>;
  } catch {
    return {};
  }
};

test('the same seed sends the same requests of chance', async () => {
  const [first, second] = [await runThrough({}, ['listVouchers']), await runThrough({}, ['listVouchers'])];
  const targets = (requests: ProxiedRequest[]): string[] =>
    requests.map(({ requestTarget }) => requestTarget);
  expect(targets(first.sent)).toEqual(targets(second.sent));
  expect(new Set(targets(first.sent)).size).toBeGreaterThan(50);
});

describe('a service that reads requests otherwise than the contract says', () => {
  const refuse: Partial<Record<string, string>> = { error: 'invalid_request', message: 'name erforderlich' };

  test('a text that it must accept and refuses is found, and shrunk to that text', async () => {
    const { failed } = await runThrough(
      {
        answer: (answer, request) =>
          answer.status === 201 && String(fieldsOf(request)['name']).includes('e')
            ? { ...answer, status: 400, body: Buffer.from(JSON.stringify(refuse)) }
            : answer,
      },
      ['createVoucher'],
    );
    const chance = failed.find(({ name }) => name.includes('requests of chance'));
    expect(chance?.problem).toMatchObject({
      what: expect.stringMatching(/the status is 400 instead of 201.* \(the contract accepts the request\)/),
      seed: 7,
    });
    // Nothing is left but what is required.
    expect(chance?.problem?.curl).toMatch(
      /^curl -sS -i -X POST .*--data-binary '\{"site_id":1,"name":"[^"]*"\}' 'http:\/\/localhost:3000\/vouchers\.php'$/,
    );
  });

  test('a value that it must refuse and accepts is found', async () => {
    const { failed } = await runThrough(
      {
        request: (request) => ({
          ...request,
          requestTarget: request.requestTarget.replace('site_id=0', 'site_id=1'),
        }),
      },
      ['listVouchers'],
    );
    expect(failed.map(({ problem }) => problem?.what)).toContainEqual(
      expect.stringMatching(/the status is 200 instead of 400 \(the contract refuses query site_id\)/),
    );
  });

  test('another message than the one of the field is found', async () => {
    const { failed } = await runThrough(
      {
        answer: (answer) => ({
          ...answer,
          body: Buffer.from(String(answer.body).replace('site_id erforderlich', 'site_id fehlt')),
        }),
      },
      ['listVouchers'],
    );
    expect(failed[0]?.problem?.what).toBe('message is "site_id fehlt" instead of "site_id erforderlich"');
  });

  test('a value that is replaced by another one than the contract says is found where the answer shows it', async () => {
    const { failed } = await runThrough(
      {
        answer: (answer) => ({
          ...answer,
          body: Buffer.from(String(answer.body).replace('"expire_minutes":480', '"expire_minutes":1')),
        }),
      },
      ['createVoucher'],
      1,
    );
    expect(failed.map(({ name, problem }) => [name, problem?.what])).toContainEqual([
      expect.stringMatching(/^createVoucher body max_uses/),
      'expire_minutes is 1 where the contract makes 480 of it',
    ]);
  });

  test('a value that takes another effect is found where only the controller shows it', async () => {
    const { failed } = await runThrough(
      {
        request: (request) => ({
          ...request,
          body: Buffer.from(String(request.body).replace(/"down":-?\d+/, '"down":77')),
        }),
        // Other fields fail at once: nobody looks at them here.
        answer: (answer, { body }) =>
          /^\{"site_id":1,"name":"Familie Berger"(,"qos":.*)?\}$/s.test(String(body))
            ? answer
            : { ...answer, status: 507 },
      },
      ['createVoucher'],
      1,
    );
    expect(failed.map(({ problem }) => problem?.what)).toContainEqual(
      expect.stringMatching(/^qos took effect as \{"down":77,.* where the contract makes \{"down":0,/),
    );
  });
});

// The last test: it leaves hundreds of vouchers, which every list after it would hold.
test('the service reads every generated request as the contract says, and every field of a request is covered', async () => {
  const target = localTargetOn(contract, service);
  const result = await runStageOn(generated, target);
  await target.close();
  expect(failuresOf(result)).toEqual({});
  const ofRequests = ({ name }: Cell): boolean => /^(query|header|body) /.test(name);
  const tested = result.coverage.cells.filter(({ state }) => state === 'tested').filter(ofRequests);
  expect(tested.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual(
    cellsOf(contract)
      .filter(ofRequests)
      .map(({ operationId, name }) => `${operationId} ${name}`),
  );
});
