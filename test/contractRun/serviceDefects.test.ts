import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { parseContractModel, type ContractModel } from '../../tools/contract/src/contract.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import type { CaseResult, ContractResult } from '../../tools/contract/src/run/results.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { contractFile } from '../support/contract.js';
import {
  startFaultInjectionProxy,
  type Defect,
  type ProxiedAnswer,
  type ProxiedRequest,
} from '../support/faultInjectionProxy.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { plantedDefects } from './plantedDefects.js';
import {
  casesOf,
  contract,
  failuresOf,
  onlyOperations,
  onlyStatus,
  optionsOf,
  runStageAlone,
  runStageOn,
  runStagesAlone,
} from './stageRun.js';

let service: LocalService;

beforeAll(async () => {
  service = await startLocalServiceInProcess();
});
afterAll(() => service.close());

/** Runs a stage against the service, seen through a defect. */
const runWith = async (stage: Stage, defect: Defect, part: ContractModel): Promise<ContractResult> => {
  const proxy = await startFaultInjectionProxy(service.url, defect);
  const target = localTargetOn(part, service, proxy.url);
  try {
    return await runStageOn(stage, target, part);
  } finally {
    await target.close();
    await proxy.stop();
  }
};

/** Spoils the answers with one status to one method. */
const spoil = (
  [method, status]: readonly [string, number],
  change: (answer: ProxiedAnswer, request: ProxiedRequest) => Partial<ProxiedAnswer>,
): Defect => ({
  answer: (answer, request) =>
    request.method === method && answer.status === status
      ? { ...answer, ...change(answer, request) }
      : answer,
});

type Body = Record<string, unknown> & { vouchers: Record<string, unknown>[] };

const spoilBody = (where: readonly [string, number], change: (body: Body) => unknown): Defect =>
  spoil(where, ({ body }) => ({
    body: Buffer.from(JSON.stringify(change(JSON.parse(String(body)) as Body))),
  }));

const replaceHeader =
  (name: RegExp, value: string | undefined) =>
  ({ headers }: ProxiedAnswer) => ({
    headers: headers.flatMap(([known, old]) =>
      name.test(known) ? (value === undefined ? [] : [[known, value] as const]) : [[known, old] as const],
    ),
  });

/** Takes every key for another one. */
const swapKey = (isSwapped: (key: string) => boolean, other: () => string): Defect => ({
  request: (request) => ({
    ...request,
    headers: request.headers.map(([name, value]) => {
      const key = /uvt_[0-9a-f]{40}$/.exec(value)?.[0];
      return key !== undefined && isSwapped(key) ? [name, value.replace(key, other())] : [name, value];
    }),
  }),
});

const keyText = (scope: string): string => {
  const key = service.keys.permitting(scope);
  if ('excuse' in key) throw new Error(key.excuse);
  return key.text();
};

const unlimitedText = (): string => {
  const key = service.keys.unlimited('write');
  if ('excuse' in key) throw new Error(key.excuse);
  return key.text();
};

// That the other stages find nothing without a defect is the first test of each of their files.
test('without a defect nothing is found by generated', async () => {
  expect(failuresOf(await runWith(generated, {}, onlyOperations('listVouchers')))).toEqual({});
});

describe('a service with one defect', () => {
  test('wrong status: 200 instead of 201 is found by conformance', async () => {
    const defect = spoil(['POST', 201], () => ({ status: 200 }));
    expect(failuresOf(await runWith(conformance, defect, onlyStatus('createVoucher', 201)))).toMatchObject({
      'createVoucher 201 with the request of the example': expect.stringMatching(
        /the status is 200 instead of 201/,
      ),
    });
  });

  test('missing field: no formatted_code is found by conformance', async () => {
    const defect = spoilBody(['POST', 201], ({ formatted_code: _, ...body }) => body);
    expect(failuresOf(await runWith(conformance, defect, onlyStatus('createVoucher', 201)))).toMatchObject({
      'createVoucher 201 with the request of the example': expect.stringMatching(
        /does not fit its schema: .*formatted_code/,
      ),
    });
  });

  test('wrong type: max_uses as a text is found by conformance', async () => {
    const defect = spoilBody(['POST', 201], (body) => ({ ...body, max_uses: String(body['max_uses']) }));
    expect(failuresOf(await runWith(conformance, defect, onlyStatus('createVoucher', 201)))).toMatchObject({
      'createVoucher 201 with the request of the example': expect.stringMatching(/max_uses must be integer/),
    });
  });

  test('extra enum value: the status "revoked" is found by conformance', async () => {
    const defect = spoilBody(['GET', 200], ({ vouchers, ...body }) => ({
      ...body,
      vouchers: vouchers.map((voucher) => ({ ...voucher, status: 'revoked' })),
    }));
    expect(failuresOf(await runWith(conformance, defect, onlyOperations('listVouchers')))).toMatchObject({
      'listVouchers 200 with the request of the example': expect.stringMatching(
        /status is not one of "valid", "used", "expired"/,
      ),
    });
  });

  test('wrong order: the oldest voucher first is found by conformance', async () => {
    const defect = spoilBody(['GET', 200], ({ vouchers, ...body }) => ({
      ...body,
      vouchers: vouchers.toReversed(),
    }));
    expect(failuresOf(await runWith(conformance, defect, onlyOperations('listVouchers')))).toMatchObject({
      'listVouchers 200 with the request of the example': expect.stringMatching(
        /^vouchers is not sorted by -created_at: "[^"]+" stands before "[^"]+"/,
      ),
    });
  });

  test('no limit: more than 200 vouchers in a list are found by conformance', async () => {
    const defect = spoilBody(['GET', 200], ({ vouchers, ...body }) => {
      // As many as the service has: it leaves the last one out.
      expect(vouchers).toHaveLength(200);
      return { ...body, vouchers: [...vouchers, vouchers.at(-1)!] };
    });
    expect(failuresOf(await runWith(conformance, defect, onlyOperations('listVouchers')))).toMatchObject({
      'listVouchers 200 with the request of the example': expect.stringMatching(
        /vouchers must NOT have more than 200/,
      ),
    });
  });

  // The contract allows it: portals of other kinds than UniFi take codes without dashes.
  test('another form: formatted_code of a UniFi controller without its dash is found by generated', async () => {
    const defect = spoilBody(['POST', 201], ({ code, ...body }) => ({ ...body, code, formatted_code: code }));
    expect(failuresOf(await runWith(generated, defect, onlyOperations('createVoucher')))).toMatchObject({
      'createVoucher: 20 requests of chance are read as the contract says': expect.stringMatching(
        /^formatted_code took effect as "\d{10}" where the contract makes "\d{5}-\d{5}"/,
      ),
    });
  });

  test('missing header: no WWW-Authenticate is found by conformance', async () => {
    const defect = spoil(['GET', 401], replaceHeader(/^www-authenticate$/i, undefined));
    expect(failuresOf(await runWith(conformance, defect, onlyOperations('listSites')))).toMatchObject({
      'listSites 401 without a key': 'the header WWW-Authenticate is missing',
    });
  });

  test('wrong content type: text/html on 404 is found by conformance', async () => {
    const defect = spoil(['POST', 404], replaceHeader(/^content-type$/i, 'text/html'));
    expect(failuresOf(await runWith(conformance, defect, onlyStatus('createVoucher', 404)))).toEqual({
      'createVoucher 404 for a site that does not exist':
        'Content-Type is "text/html" instead of application/json',
      'createVoucher 404 on a site that is not active':
        'Content-Type is "text/html" instead of application/json',
    });
  });

  test('scope not enforced: a read key that creates vouchers is found by security', async () => {
    const defect = swapKey(
      (key) => key === keyText('read'),
      () => keyText('write'),
    );
    expect(failuresOf(await runWith(security, defect, onlyOperations('createVoucher')))).toMatchObject({
      'createVoucher: a key of the scope read in Authorization gives 403': expect.stringMatching(
        /the status is 201 instead of 403/,
      ),
    });
  });

  test('limit not enforced: more requests than the limit allows are found by security', async () => {
    const isKnown = (key: string): boolean => [keyText('read'), keyText('write')].includes(key);
    const limited = (key: string): boolean =>
      service.keys.all().some(({ text, limit }) => text() === key && limit > 0) && !isKnown(key);
    const defect = swapKey(limited, unlimitedText);
    expect(failuresOf(await runWith(security, defect, onlyOperations('listSites')))).toMatchObject({
      'listSites: exactly as many requests as the limit allows are let in': expect.stringMatching(
        /5 of 5 requests at once were let through instead of 3/,
      ),
    });
  });

  test('order of names: sites from Z to A are found by conformance', async () => {
    const defect = spoil(['GET', 200], ({ body }) => {
      const { sites } = JSON.parse(String(body)) as { sites: unknown[] };
      return { body: Buffer.from(JSON.stringify({ sites: sites.toReversed() })) };
    });
    expect(failuresOf(await runWith(conformance, defect, onlyOperations('listSites')))).toMatchObject({
      'listSites 200 with the request of the example': expect.stringMatching(
        /^sites is not sorted by name: "[^"]+" stands before "[^"]+"/,
      ),
    });
  });

  test('stale cache: 304 for a list that has changed is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { headers }) =>
        answer.status === 200 && headers.some(([name]) => /^if-none-match$/i.test(name))
          ? { ...answer, status: 304, body: Buffer.alloc(0) }
          : answer,
    };
    expect(failuresOf(await runWith(conformance, defect, onlyStatus('listVouchers', 200)))).toMatchObject({
      'listVouchers 200 with the ETag from before another voucher was made': expect.stringMatching(
        /the status is 304 instead of 200/,
      ),
    });
  });

  test('loose paths: a path in capitals that is answered is found by conformance', async () => {
    const defect: Defect = {
      request: (request) => ({ ...request, requestTarget: request.requestTarget.toLowerCase() }),
    };
    expect(failuresOf(await runWith(conformance, defect, onlyOperations('listSites')))).toMatchObject({
      '/SITES.PHP is not /sites.php': expect.stringMatching(/the status is 200 instead of 404/),
    });
  });

  test('content before access: 400 for a key that lacks the scope is found by conformance', async () => {
    const defect = spoil(['POST', 403], (_, { body }) => (String(body) === '{}' ? { status: 400 } : {}));
    expect(failuresOf(await runWith(conformance, defect, onlyStatus('createVoucher', 403)))).toMatchObject({
      'createVoucher 403 with a key of the scope read and without content': expect.stringMatching(
        /the status is 400 instead of 403/,
      ),
    });
  });

  test('names of schemes: a key that is refused after "bearer" is found by security', async () => {
    const defect: Defect = {
      request: (request) => ({
        ...request,
        headers: request.headers.filter(([, value]) => !value.startsWith('bearer ')),
      }),
    };
    expect(failuresOf(await runWith(security, defect, onlyOperations('listSites')))).toMatchObject({
      'listSites: a key of the scope read in authorization is let in':
        expect.stringMatching(/the status is 401/),
    });
  });

  test('wrong list: the vouchers of site 1 for every site are found by generated', async () => {
    const defect: Defect = {
      request: (request) => ({
        ...request,
        requestTarget: request.requestTarget.replace(/site_id=[1-9]\d*$/, 'site_id=1'),
      }),
    };
    const failures = failuresOf(await runWith(generated, defect, onlyOperations('listVouchers')));
    expect(failures).toMatchObject({
      'listVouchers: 20 requests of chance are read as the contract says': expect.stringMatching(
        /^codes took effect as \["[^"]+",.* where the contract makes \[/,
      ),
    });
  });

  test('undocumented status: 507 for large site ids is found by generated, with a line for the shell and the seed', async () => {
    const defect: Defect = {
      answer: (answer, { requestTarget }) =>
        answer.status === 200 && Number(/site_id=(\d+)/.exec(requestTarget)?.[1]) > 500
          ? { ...answer, status: 507 }
          : answer,
    };
    const result = await runWith(generated, defect, onlyOperations('listVouchers'));
    const failed = result.stages[0]!.cases.filter(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject([
      {
        name: expect.stringMatching(/^listVouchers query site_id/),
        problem: { what: expect.stringMatching(/the status 507 is not documented/) },
      },
      {
        name: expect.stringMatching(/^listVouchers: 20 requests of chance/),
        problem: {
          what: expect.stringMatching(/the status 507 is not documented/),
          at: expect.stringMatching(/^openapi\.yaml:\d+:\d+$/),
          seed: 1,
          curl: expect.stringMatching(
            /^curl -sS -i -H 'Authorization: Bearer '"\$KEY" 'http:\/\/localhost:3000\/vouchers\.php\?site_id=\d+'$/,
          ),
        },
      },
    ]);
  });
});

describe('one defect is one failure, whatever stages see it', () => {
  /** The failures of several stages, each with the cases that it was also seen in. */
  const causesOf = async (stages: Stage[], defect: Defect, part: ContractModel): Promise<CaseResult[]> => {
    const proxy = await startFaultInjectionProxy(service.url, defect);
    const target = localTargetOn(part, service, proxy.url);
    const tried = { contract: part, options: optionsOf(), target: () => Promise.resolve(target) };
    const result = await runStagesAlone(stages, tried);
    await target.close();
    await proxy.stop();
    return casesOf(result).filter(({ outcome, sameAs }) => outcome === 'failed' && !sameAs);
  };
  const stagesOf = ({ alsoSeenIn = [] }: CaseResult): string[] => [
    ...new Set(alsoSeenIn.map(({ stage }) => stage)),
  ];

  test('a wrong field of an answer', async () => {
    const defect = spoilBody(['POST', 201], (body) => ({ ...body, max_uses: String(body['max_uses']) }));
    const part = onlyOperations('createVoucher');
    const causes = await causesOf([conformance, generated, security], defect, part);
    const found = causes.filter(({ problem }) => problem!.what.includes('max_uses must be integer'));
    expect(found).toHaveLength(1);
    expect(stagesOf(found[0]!)).toEqual(['conformance', 'generated', 'security']);
  });

  test('a key that is not checked', async () => {
    const defect: Defect = {
      request: (request) => ({
        ...request,
        headers: [
          ...request.headers.filter(([name]) => !/^(authorization|x-api-key)$/i.test(name)),
          ['X-API-Key', keyText('read')],
        ],
      }),
    };
    const part = onlyOperations('listSites');
    const causes = await causesOf([conformance, security], defect, part);
    const found = causes.filter(({ problem }) => problem!.what.includes('200 instead of 401'));
    expect(found).toHaveLength(1);
    expect(found[0]!.alsoSeenIn!.length).toBeGreaterThan(30);
    expect(stagesOf(found[0]!)).toEqual(['conformance', 'security']);
  });
});

describe('a contract with one defect', () => {
  const original = readFileSync(contractFile, 'utf8');
  const runPlanted = (stage: Stage, source: string): Promise<ContractResult> =>
    runStageAlone(stage, {
      contract: parseContractModel(source),
      options: optionsOf(),
      target: () => Promise.resolve(localTargetOn(contract, service)),
    });

  test.each([
    ['example invalid', 'examples', 'an example that does not fit its schema'],
    ['breaking change', 'breaking', 'a property of a response that is gone'],
  ])('%s: it is found by %s (%s)', async (_, name, slip) => {
    const planted = plantedDefects.find((one) => one.name === slip)!;
    const stage = planted.stage(original);
    expect(stage.name).toBe(name);
    expect(failuresOf(await runPlanted(stage, original))).toEqual({});
    const found = casesOf(await runPlanted(stage, planted.plant(original))).filter(
      ({ outcome }) => outcome === 'failed',
    );
    expect(found.map(({ name: tried, problem }) => `${tried}\n${problem?.what}`)).toContainEqual(
      expect.stringMatching(planted.says),
    );
  });
});
