import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { servedContracts } from '../scenarios/servedContracts.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { startFaultInjectionProxy, type Defect } from '../support/faultInjectionProxy.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { casesOf, contract, failuresOf, onlyOperations, runStageOn } from './stageRun.js';

let service: LocalService;

beforeAll(async () => {
  service = await startLocalServiceInProcess();
});
afterAll(() => service.close());

const failuresThrough = async (defect: Defect): Promise<Record<string, string>> => {
  const proxy = await startFaultInjectionProxy(service.url, defect);
  const part = onlyOperations('listSites');
  const target = localTargetOn(part, service, proxy.url);
  try {
    return failuresOf(await runStageOn(security, target, part));
  } finally {
    await target.close();
    await proxy.stop();
  }
};

test('keys, scopes and limits of the service hold for every operation', async () => {
  const target = localTargetOn(contract, service);
  const result = await runStageOn(security, target);
  await target.close();
  expect(failuresOf(result)).toEqual({});
  const names = casesOf(result).map(({ name }) => name);
  for (const { id } of contract.operations) {
    for (const header of ['Authorization', 'X-API-Key']) {
      for (const kind of ['an empty key', 'an unknown key', 'a revoked key', 'an expired key']) {
        expect(names).toContain(`${id}: ${kind} in ${header} gives 401`);
      }
    }
    expect(names).toContain(`${id}: no key gives 401`);
    expect(names).toContain(`${id}: a valid key in the query, under any name gives 401`);
    expect(names).toContain(`${id}: exactly as many requests as the limit allows are let in`);
  }
  expect(names).toContain('createVoucher: a key of the scope read in Authorization gives 403');
  expect(names).toContain('listSites: a key of the scope write in Authorization is let in');
});

test('no name, problem or line for the shell shows a key', async () => {
  const proxy = await startFaultInjectionProxy(service.url, {
    answer: (answer) => ({ ...answer, status: 418 }),
  });
  const target = localTargetOn(contract, service, proxy.url);
  const said: string[] = [];
  const say = (...parts: unknown[]): void => void said.push(JSON.stringify(parts));
  await security.run({
    served: servedContracts[0],
    contract,
    options: undefined as never,
    target: () => Promise.resolve(target),
    attach: say,
    recorder: {
      passed: say,
      failed: say,
      warned: say,
      skipped: say,
      covered: say,
      excused: say,
      progress: () => undefined,
    },
  });
  await target.close();
  await proxy.stop();
  const text = said.join('\n');
  expect(said.length).toBeGreaterThan(100);
  expect(text).toContain('$KEY');
  for (const key of service.keys.all()) {
    const secret = key.text();
    for (const form of [secret, secret.slice(13), secret.slice(13).toUpperCase(), secret.slice(0, -1)]) {
      expect(text.includes(form)).toBe(false);
    }
    expect(text.includes(Buffer.from(`${secret}:`).toString('base64').slice(8))).toBe(false);
  }
});

test('an answer that tells a revoked key from an unknown one is found', async () => {
  const revoked = service.keys.revoked();
  if ('excuse' in revoked) throw new Error(revoked.excuse);
  const failures = await failuresThrough({
    answer: (answer, { headers }) =>
      headers.some(([, value]) => value.includes(revoked.text()))
        ? { ...answer, headers: [...answer.headers, ['Retry-After', '60']] }
        : answer,
  });
  expect(Object.keys(failures)).toEqual([
    'listSites: a revoked key in Authorization gives 401',
    'listSites: a revoked key in X-API-Key gives 401',
  ]);
});

test('a key in the query that is let in is found', async () => {
  const failures = await failuresThrough({
    request: (request) => {
      const key = /[?&]access_token=(\w+)/.exec(request.requestTarget)?.[1];
      return key === undefined ? request : { ...request, headers: [...request.headers, ['X-API-Key', key]] };
    },
  });
  expect(failures).toEqual({
    'listSites: a valid key in the query, under any name gives 401': expect.stringMatching(
      /^the status is 200 instead of 401/,
    ),
  });
});

test('a key in an answer is found', async () => {
  const failures = await failuresThrough({
    answer: (answer, { headers }) => {
      const key = headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
      if (key === undefined || answer.status !== 401) return answer;
      return { ...answer, body: Buffer.from(String(answer.body).replace('ungültig', `ungültig: ${key}`)) };
    },
  });
  expect(failures['listSites: a revoked key in X-API-Key gives 401']).toMatch(/the answer holds an API key/);
  expect(failures['listSites: an unknown key in X-API-Key gives 401']).toMatch(
    /holds what was shown as a key/,
  );
  expect(failures).not.toHaveProperty(['listSites: no key gives 401']);
});

test.each([
  ['Retry-After: 0', 'Retry-After of a 429 is "0" instead of 1 to 60'],
  ['Retry-After: 3600', 'Retry-After of a 429 is "3600" instead of 1 to 60'],
])('%s on a 429 is found', async (header, fault) => {
  const failures = await failuresThrough({
    answer: (answer) => ({
      ...answer,
      headers: answer.headers.map(([name, value]) =>
        name.toLowerCase() === 'retry-after' ? [name, header.slice('Retry-After: '.length)] : [name, value],
      ),
    }),
  });
  expect(failures).toEqual({
    'listSites: exactly as many requests as the limit allows are let in': expect.stringContaining(fault),
    'listSites: each request counts, and RateLimit-Reset counts down':
      expect.stringContaining('the window has one end'),
  });
});
