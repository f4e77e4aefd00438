import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseContractModel } from '../../scripts/contract/contract.js';
import { examples } from '../../scripts/contract/examples/examples.js';
import { compareShapes } from '../../scripts/contract/examples/shape.js';
import { readRunOptions } from '../../scripts/contract/options.js';
import type { HttpRequest } from '../../scripts/contract/request.js';
import type { CaseResult, RunResult } from '../../scripts/contract/run/results.js';
import type { LocalService } from '../../scripts/contract/target/local/localService.js';
import { localTargetOn } from '../../scripts/contract/target/local/localTarget.js';
import type { Target } from '../../scripts/contract/target/target.js';
import { contractFile } from '../support/contract.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { runStageAlone } from './stageRun.js';

const source = readFileSync(contractFile, 'utf8');

describe('the shape of an example', () => {
  const schema = {
    required: ['id', 'list'],
    properties: {
      id: { type: 'integer' },
      note: { type: 'string', nullable: true },
      list: { type: 'array', items: { required: ['a'], properties: { a: {}, b: {} } } },
    },
  } as const;
  const example = { id: 1, note: 'n', list: [{ a: 1, b: 'x' }] };

  test.each([
    [
      'the same with other values',
      {
        id: 2,
        note: 'other',
        list: [
          { a: 5, b: 'y' },
          { a: 6, b: 'z' },
        ],
      },
      [],
    ],
    ['null where null is allowed', { id: 2, note: null, list: [{ a: 5, b: 'y' }] }, []],
    ['an optional field less', { id: 2, list: [{ a: 5 }] }, []],
    ['an empty list', { id: 2, note: 'n', list: [] }, []],
    ['fields spread over elements', { id: 2, note: 'n', list: [{ a: 5 }, { a: 6, b: 'y' }] }, []],
    ['another type', { ...example, id: '1' }, ['id is a number in the example and a string in the answer']],
    ['a required field less', { id: 1, note: 'n' }, ['list is in the example and not in the answer']],
    ['a field more', { ...example, more: 1 }, ['more is in the answer and not in the example']],
    [
      'a field more in an element',
      { ...example, list: [{ a: 1, b: '', c: 1 }] },
      ['list[].c is in the answer and not in the example'],
    ],
    [
      'null where it is not allowed',
      { ...example, id: null },
      ['id is a number in the example and null in the answer'],
    ],
    ['no object at all', undefined, ['the body is an object in the example and nothing in the answer']],
  ])('%s', (_name, actual, differences) => {
    expect(compareShapes(example, actual, schema)).toEqual(differences);
  });
});

describe('against a service', () => {
  let service: LocalService;

  beforeAll(async () => {
    service = await startLocalServiceInProcess();
  });
  afterAll(() => service.close());

  /** Runs the stage on a changed contract; `change` may put something in front of the target. */
  const run = async (
    changes: readonly (readonly [from: string, to: string])[] = [],
    change: (target: Target) => Target = (target) => target,
  ): Promise<{ cases: readonly CaseResult[]; result: RunResult }> => {
    let text = source;
    for (const [from, to] of changes) {
      if (!text.includes(from)) throw new Error(`the contract has no "${from}"`);
      text = text.replace(from, () => to);
    }
    const contract = parseContractModel(text);
    const target = localTargetOn(contract, service);
    try {
      const result = await runStageAlone(examples, {
        contract,
        options: readRunOptions(['--seed', '1']),
        target: async () => change(target),
      });
      return { cases: result.stages[0]!.cases, result };
    } finally {
      await target.close();
    }
  };

  const failures = (cases: readonly CaseResult[]): Record<string, string | undefined> =>
    Object.fromEntries(
      cases.filter(({ outcome }) => outcome === 'failed').map(({ name, problem }) => [name, problem?.what]),
    );

  test('every example of our contract is valid, accepted, and like a real answer', async () => {
    const { cases, result } = await run();
    expect(failures(cases)).toEqual({});
    expect(cases.filter(({ outcome }) => outcome === 'skipped')).toEqual([]);
    for (const name of [
      'createVoucher body: the example fits its schema',
      'createVoucher body: a request with the example succeeds',
      'createVoucher header Idempotency-Key: a request with the example succeeds',
      'listVouchers query site_id: a request with the example succeeds',
      'createVoucher 502 body: the example looks like a real answer',
      'components.schemas.VoucherOrder.max_uses: the default fits its schema',
    ]) {
      expect(cases.map((one) => one.name)).toContain(name);
    }
    const tested = result.coverage.cells
      .filter(({ state }) => state === 'tested')
      .map(({ operationId, name }) => `${operationId} ${name}`);
    expect(tested).toEqual(
      expect.arrayContaining([
        'createVoucher body qos.down',
        'createVoucher 201',
        'createVoucher 201 code',
        'listVouchers query site_id',
      ]),
    );
  });

  test('an example that does not fit its schema is reported with its own line', async () => {
    const { cases } = await run([['formatted_code: 44703-44703', 'formated_code: 44703-44703']]);
    const found = cases.find(({ name }) => name === 'createVoucher 201 body: the example fits its schema');
    expect(found).toMatchObject({
      outcome: 'failed',
      problem: { what: expect.stringContaining('a field that the schema does not name: formated_code') },
    });
    const typed = await run([
      ['max_uses: 2\n              expire_minutes', 'max_uses: two\n              expire_minutes'],
    ]);
    expect(typed.cases.find(({ outcome }) => outcome === 'failed')?.problem).toMatchObject({
      what: 'The value does not fit its schema: max_uses must be integer',
      line: 'max_uses: two',
    });
  });

  test('a default that does not fit its schema is reported', async () => {
    const { cases } = await run([['default: 480', 'default: 0']]);
    expect(failures(cases)).toHaveProperty(
      ['components.schemas.VoucherOrder.expire_minutes: the default fits its schema'],
      expect.stringContaining('must be >= 1'),
    );
  });

  test('a request that the service refuses is reported with the request', async () => {
    const { cases } = await run([
      ['name: Familie Berger\n              max_uses', "name: ' '\n              max_uses"],
    ]);
    const found = cases.find(
      ({ name }) => name === 'createVoucher body: a request with the example succeeds',
    );
    expect(found?.problem).toMatchObject({
      what: expect.stringContaining('The service answers 400'),
      curl: expect.stringMatching(/^curl .*-X POST .*"\$KEY"/),
      line: 'example:',
    });
  });

  test('an example of a response that is not what the service sends is reported', async () => {
    const { cases } = await run([
      ['                site: Hauptgebäude\n', ''],
      ['        site: { type: string, description: Name of the site }\n', ''],
      ['formatted_code, site, max_uses', 'formatted_code, max_uses'],
      ['example: { error: not_found, message', 'example: { error: forbidden, message'],
    ]);
    expect(failures(cases)).toEqual({
      'createVoucher 201 body: the example looks like a real answer':
        'with the request of the example: site is in the answer and not in the example',
      'createVoucher 404 body: the example looks like a real answer': expect.stringContaining(
        'the error is "forbidden" in the example and "not_found" in the answer',
      ),
    });
  });

  test('nothing that could create something is sent where writing is not allowed', async () => {
    const sent: HttpRequest[] = [];
    const { cases } = await run([], (target) => ({
      ...target,
      allowWrites: false,
      // What the target itself may do without writing is its own matter.
      planFor: () => ({ excuse: 'not here' }),
      send: (request) => {
        sent.push(request);
        return target.send(request);
      },
    }));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.map(({ method }) => method)).toEqual(sent.map(() => 'GET'));
    expect(failures(cases)).toEqual({});
    const skipped = cases.filter(({ outcome }) => outcome === 'skipped');
    expect(skipped).toContainEqual(
      expect.objectContaining({
        name: 'createVoucher body: a request with the example succeeds',
        reason: 'needs --allow-writes: POST /vouchers.php may create something',
      }),
    );
    expect(skipped).toContainEqual(
      expect.objectContaining({
        name: 'createVoucher 409 body: the example looks like a real answer',
        reason: 'not here',
      }),
    );
  });

  test('without a key for it an example is skipped with the reason', async () => {
    const { cases } = await run([], (target) => ({
      ...target,
      keys: { ...target.keys, permitting: () => ({ excuse: 'needs --key' }) },
    }));
    expect(
      cases.find(({ name }) => name === 'listVouchers query site_id: a request with the example succeeds'),
    ).toMatchObject({ outcome: 'skipped', reason: 'needs --key' });
  });
});
