import { expect, test } from '@jest/globals';
import { servedContracts } from '../scenarios/servedContracts.js';
import { security } from '../../tools/contract/src/security/security.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { isExcuse, type Excuse, type Key } from '../../tools/contract/src/target/keys.js';
import {
  startFaultInjectionProxy,
  type Defect,
  type ProxiedAnswer,
  type ProxiedRequest,
} from '../support/faultInjectionProxy.js';
import { forAllTests } from '../support/fixture.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { casesOf, contract, failuresOf, onlyOperations, runStageOn } from './stageRun.js';
import {
  findPlanted,
  headerOf,
  runThrough,
  spoil,
  withHeader,
  without,
  withText,
  type PlantedDefect,
} from './throughDefect.js';

const service = forAllTests(startLocalServiceInProcess, 'close');

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
  const part = onlyOperations('listSites');
  const target = localTargetOn(part, service, proxy.url);
  const said: string[] = [];
  const say = (...parts: unknown[]): void => void said.push(JSON.stringify(parts));
  await security.run({
    served: servedContracts[0],
    contract: part,
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
  expect(said.length).toBeGreaterThan(40);
  expect(text).toContain('$KEY');
  for (const key of service.keys.all()) {
    const secret = key.text();
    for (const form of [secret, secret.slice(13), secret.slice(13).toUpperCase(), secret.slice(0, -1)]) {
      expect(text.includes(form)).toBe(false);
    }
    expect(text.includes(Buffer.from(`${secret}:`).toString('base64').slice(8))).toBe(false);
  }
});

/** The text of a key of the service. */
const textOf = (key: Key | Excuse): string => {
  if (isExcuse(key)) throw new Error(key.excuse);
  return key.text();
};

/** Takes some keys for another one. */
const swapKey = (isSwapped: (key: string) => boolean, other: () => string): Defect => ({
  request: (request) => ({
    ...request,
    headers: request.headers.map(([name, value]) => {
      const key = /uvt_[0-9a-f]{40}$/.exec(value)?.[0];
      return key !== undefined && isSwapped(key) ? [name, value.replace(key, other())] : [name, value];
    }),
  }),
});

const ofSites = ({ requestTarget }: ProxiedRequest): boolean => requestTarget.startsWith('/sites.php');

test('each defect in the access to a service is named, and nothing else', async () => {
  const revoked = textOf(service.keys.revoked());
  const letIn = new Map<string, ProxiedAnswer>();
  const planted: Readonly<Record<string, PlantedDefect>> = {
    'a read key that creates vouchers': {
      defect: {
        request: (request) =>
          ofSites(request) || headerOf(request, 'x-api-key')
            ? request
            : swapKey(
                (key) => key === textOf(service.keys.permitting('read')),
                () => textOf(service.keys.permitting('write')),
              ).request!(request),
      },
      found: {
        'createVoucher: a key of the scope read in Authorization gives 403':
          /^the status is 201 instead of 403/,
        'createVoucher: a key of the scope read in authorization gives 403':
          /^the status is 201 instead of 403/,
      },
    },
    'a key that is refused after "bearer"': {
      defect: {
        request: (request) =>
          ofSites(request)
            ? { ...request, headers: request.headers.filter(([, value]) => !value.startsWith('bearer ')) }
            : request,
      },
      found: {
        'listSites: a key of the scope read in authorization is let in': /^the status is 401/,
        'listSites: a key of the scope write in authorization is let in': /^the status is 401/,
      },
    },
    'a bad key that hides a good one in the other header': {
      defect: {
        request: (request) =>
          ofSites(request) && /^(Bearer )?x$/.test(headerOf(request, 'authorization') ?? '')
            ? without(request, 'x-api-key')
            : request,
      },
      found: {
        'listSites: a good key in X-API-Key beside "x" in Authorization is let in': /^the status is 401/,
      },
    },
    'a key that is let in because it was once, although it is revoked': {
      defect: {
        answer: (answer, request) => {
          const key = headerOf(request, 'authorization');
          if (!ofSites(request) || key === undefined || headerOf(request, 'x-api-key')) return answer;
          if (answer.status === 200) letIn.set(key, answer);
          return answer.status === 401 ? (letIn.get(key) ?? answer) : answer;
        },
      },
      found: {
        'listSites: a key that was let in gives 401 once it is revoked': /^the status is 200 instead of 401/,
      },
    },
    'an answer that tells a revoked key from an unknown one': {
      defect: spoil(
        (request) => ofSites(request) && headerOf(request, 'x-api-key') === revoked,
        (answer) => ({ ...answer, headers: [...answer.headers, ['Retry-After', '60']] }),
      ),
      found: { 'listSites: a revoked key in X-API-Key gives 401': /Retry-After/i },
    },
    'a key in the query that is let in': {
      defect: {
        request: (request) => {
          const key = /[?&]access_token=(\w+)/.exec(request.requestTarget)?.[1];
          return ofSites(request) && key !== undefined
            ? { ...request, headers: [...request.headers, ['X-API-Key', key]] }
            : request;
        },
      },
      found: {
        'listSites: a valid key in the query, under any name gives 401': /^the status is 200 instead of 401/,
      },
    },
    'a window that never ends': {
      defect: spoil(ofSites, withHeader('ratelimit-reset', '60')),
      found: {
        'listSites: each request counts, and RateLimit-Reset counts down':
          /RateLimit-Reset does not count down to one time: 60, 60/,
      },
    },
  };
  const part = onlyOperations('listSites', 'createVoucher');
  const { found, expected } = await findPlanted(service, security, part, planted);
  expect(found).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, says]) => [name, expect.stringMatching(says)])),
  );
});

const failuresThrough = async (defect: Defect): Promise<Record<string, string>> =>
  failuresOf(await runThrough(service, [security], defect, onlyOperations('listSites')));

test('a limit that is not enforced, and a key in an answer, are found', async () => {
  const isKnown = (key: string): boolean =>
    ['read', 'write'].some((scope) => textOf(service.keys.permitting(scope)) === key);
  const isLimited = (key: string): boolean =>
    service.keys.all().some(({ text, limit }) => text() === key && limit > 0) && !isKnown(key);
  const failures = await failuresThrough({
    ...swapKey(isLimited, () => textOf(service.keys.unlimited('write'))),
    answer: (answer, request) => {
      const key = headerOf(request, 'x-api-key');
      return key !== undefined && answer.status === 401
        ? withText(answer, 'ungültig', `ungültig: ${key}`)
        : answer;
    },
  });
  expect(failures).toMatchObject({
    'listSites: exactly as many requests as the limit allows are let in': expect.stringMatching(
      /5 of 5 requests at once were let through instead of 3/,
    ),
    'listSites: a revoked key in X-API-Key gives 401': expect.stringMatching(/the answer holds an API key/),
    'listSites: an unknown key in X-API-Key gives 401': expect.stringMatching(
      /holds what was shown as a key/,
    ),
  });
  expect(failures).not.toHaveProperty(['listSites: no key gives 401']);
});

test('a Retry-After that does not fit the window is found', async () => {
  expect(await failuresThrough({ answer: withHeader('retry-after', '3600') })).toEqual({
    'listSites: exactly as many requests as the limit allows are let in': expect.stringContaining(
      'Retry-After of a 429 is "3600" instead of 1 to 60',
    ),
    'listSites: each request counts, and RateLimit-Reset counts down':
      expect.stringContaining('the window has one end'),
  });
});
