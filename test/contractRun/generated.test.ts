import { describe, expect, test } from '@jest/globals';
import type { ContractModel } from '../../tools/contract/src/contract.js';
import { cellsOf } from '../../tools/contract/src/coverage/cells.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import type { CaseResult } from '../../tools/contract/src/run/results.js';
import type { Cell } from '../../tools/contract/src/coverage/cells.js';
import type { Target } from '../../tools/contract/src/target/target.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import {
  startFaultInjectionProxy,
  type Defect,
  type ProxiedRequest,
} from '../support/faultInjectionProxy.js';
import { forAllTests } from '../support/fixture.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { withBody } from './throughDefect.js';
import { casesOf, contract, failuresOf, onlyOperations, optionsOf, runStageOn } from './stageRun.js';

const service = forAllTests(startLocalServiceInProcess, 'close');

/** The target with so many values of each field. */
const withSamples = (part: ContractModel, target: Target, maxSamples: number): Target => ({
  ...target,
  hints: Object.fromEntries(part.operations.map(({ id }) => [id, { ...target.hints[id], maxSamples }])),
});

/** Runs the stage for some operations, through a defect, and returns what was sent and what failed. */
const runThrough = async (
  defect: Defect,
  ids: string[],
  { runs = 1, maxSamples = Infinity } = {},
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
  const target = withSamples(part, localTargetOn(part, service, proxy.url), maxSamples);
  try {
    const result = await runStageOn(
      generated,
      target,
      part,
      optionsOf('--seed', '1', '--runs', String(runs)),
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
  const run = () => runThrough({}, ['listVouchers'], { runs: 20, maxSamples: 20 });
  const [first, second] = [await run(), await run()];
  expect([first.failed, second.failed]).toEqual([[], []]);
  const targets = (requests: ProxiedRequest[]): string[] =>
    requests.map(({ requestTarget }) => requestTarget);
  expect(targets(first.sent)).toEqual(targets(second.sent));
  expect(new Set(targets(first.sent)).size).toBeGreaterThan(20);
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
      { runs: 20 },
    );
    const chance = failed.find(({ name }) => name.includes('requests of chance'));
    expect(chance?.problem).toMatchObject({
      what: expect.stringMatching(/the status is 400 instead of 201.* \(the contract accepts the request\)/),
      seed: 1,
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
    );
    expect(failed.map(({ problem }) => problem?.what)).toContainEqual(
      expect.stringMatching(/^qos took effect as \{"down":77,.* where the contract makes \{"down":0,/),
    );
  });
});

// The contract allows it: portals of other kinds than UniFi take codes without dashes.
test('a formatted_code of a UniFi controller without its dash is found', async () => {
  const { failed } = await runThrough(
    {
      answer: (answer) =>
        answer.status === 201
          ? withBody(answer, ({ code, ...body }) => ({ ...body, code, formatted_code: code }))
          : answer,
    },
    ['createVoucher'],
    { runs: 20 },
  );
  expect(failed.find(({ name }) => name.includes('requests of chance'))?.problem?.what).toMatch(
    /^formatted_code took effect as "\d{10}" where the contract makes "\d{5}-\d{5}"/,
  );
});

test('the vouchers of site 1 for every site are found', async () => {
  const { failed } = await runThrough(
    {
      request: (request) => ({
        ...request,
        requestTarget: request.requestTarget.replace(/site_id=[1-9]\d*$/, 'site_id=1'),
      }),
    },
    ['listVouchers'],
    { runs: 20 },
  );
  expect(failed.find(({ name }) => name.includes('requests of chance'))?.problem?.what).toMatch(
    /^codes took effect as \["[^"]+",.* where the contract makes \[/,
  );
});

test('a status that is not documented is found, with a line for the shell and the seed', async () => {
  const { failed } = await runThrough(
    {
      answer: (answer, { requestTarget }) =>
        answer.status === 200 && Number(/site_id=(\d+)/.exec(requestTarget)?.[1]) > 500
          ? { ...answer, status: 507 }
          : answer,
    },
    ['listVouchers'],
    { runs: 20 },
  );
  const what = expect.stringMatching(/the status 507 is not documented/);
  expect(failed).toMatchObject([
    { name: expect.stringMatching(/^listVouchers query site_id/), problem: { what } },
    {
      name: expect.stringMatching(/^listVouchers: 20 requests of chance/),
      problem: {
        what,
        at: expect.stringMatching(/^openapi\.yaml:\d+:\d+$/),
        seed: 1,
        curl: expect.stringMatching(
          /^curl -sS -i -H 'Authorization: Bearer '"\$KEY" 'http:\/\/localhost:3000\/vouchers\.php\?site_id=\d+'$/,
        ),
      },
    },
  ]);
});

// The last test: it leaves hundreds of vouchers, which every list after it would hold.
test('the service reads every generated request as the contract says, and every field of a request is covered', async () => {
  // `npm run contract` tries all values.
  const target = withSamples(contract, localTargetOn(contract, service), 25);
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
