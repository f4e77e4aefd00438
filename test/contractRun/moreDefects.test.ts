import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { cookieFaults } from '../../tools/contract/src/conformance/cookies.js';
import { compareAddresses } from '../../tools/contract/src/conformance/servedDescription.js';
import { makeHttpClient } from '../../tools/contract/src/request.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { LocalService } from '../scenarios/local/localService.js';
import type { Defect } from '../support/faultInjectionProxy.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { onlyOperations, onlyStatus } from './stageRun.js';
import { findThrough, withBody, withHeader, type Json } from './throughDefect.js';
import { onlySuccesses, startWebService, webContract } from './webService.js';

describe('of the API', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalServiceInProcess();
  });
  afterAll(() => service.close());

  test('a RateLimit-Reset that does not count down is found by security', async () => {
    const defect = { answer: withHeader('ratelimit-reset', '60') };
    expect(await findThrough(service, security, defect, onlyOperations('listSites'))).toEqual({
      'listSites: each request counts, and RateLimit-Reset counts down': expect.stringMatching(
        /RateLimit-Reset does not count down to one time: 60, 60/,
      ),
    });
  });

  test('a bad key that hides a good one in the other header is found by security', async () => {
    const defect: Defect = {
      request: (request) => {
        const isSent = request.headers.some(([name]) => name.toLowerCase() === 'authorization');
        const headers = request.headers.filter(([name]) => !isSent || name.toLowerCase() !== 'x-api-key');
        return { ...request, headers };
      },
    };
    expect(await findThrough(service, security, defect, onlyOperations('listSites'))).toMatchObject({
      'listSites: a good key in X-API-Key beside "x" in Authorization is let in':
        expect.stringMatching(/^the status is 401/),
    });
  });

  test('answers without their charset are found by conformance', async () => {
    const defect = { answer: withHeader('content-type', 'application/json') };
    expect(await findThrough(service, conformance, defect, onlyStatus('listSites', 200))).toMatchObject({
      'listSites 200 with the request of the example':
        'Content-Type is "application/json" instead of "application/json; charset=utf-8"',
    });
  });

  test('the same X-Request-Id in all answers is found by conformance', async () => {
    const defect = { answer: withHeader('x-request-id', 'always') };
    expect(await findThrough(service, conformance, defect, onlyStatus('listSites', 200))).toMatchObject({
      'X-Request-Id: each request has another': 'two answers have "always"',
      'X-Request-Id: "contract-run.1" of a client is kept': 'it is "always"',
    });
  });

  test('a body that is no UTF-8, and is read all the same, is found by conformance', async () => {
    const defect: Defect = {
      request: (request) => ({
        ...request,
        headers: request.headers.filter(([name]) => name.toLowerCase() !== 'content-length'),
        body: Buffer.from(request.body.toString('utf8')),
      }),
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('createVoucher', 400))).toMatchObject({
      'createVoucher 400 with a byte in a text that UTF-8 does not have': expect.stringMatching(
        /^the status is 201 instead of 400/,
      ),
    });
  });

  test('a repeated answer that differs from the first one is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer) =>
        answer.headers.some(([name]) => name.toLowerCase() === 'idempotency-replayed')
          ? withBody(answer, (body) => ({ ...body, expire_minutes: 480 }))
          : answer,
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('createVoucher', 201))).toMatchObject({
      'createVoucher 201 with the Idempotency-Key of an earlier request': expect.stringMatching(
        /^the repeated answer is .* and not the first one/,
      ),
    });
  });

  test('a description that is written in another way is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { requestTarget }) =>
        requestTarget === '/openapi.php'
          ? { ...answer, body: Buffer.from(JSON.stringify(JSON.parse(String(answer.body)), null, 2)) }
          : answer,
    };
    const text = 'it is indented by four blanks, with Unicode and slashes unescaped';
    expect(await findThrough(service, conformance, defect, onlyStatus('listSites', 200))).toMatchObject({
      [`/openapi.php follows the specification: ${text}`]: `it is not so that ${text}`,
    });
  });

  test('a description names the Host of its request, and nothing that a client forwards', async () => {
    const client = makeHttpClient(service.url);
    try {
      const target = { url: service.url, send: client.send };
      const faults = await compareAddresses(target, '/openapi.php');
      expect(faults.filter(({ what }) => what !== undefined)).toEqual([]);
      const believing: typeof target = {
        ...target,
        send: (request) =>
          client.send({
            ...request,
            headers: request.headers.map(([name, value]) => [
              name === 'X-Forwarded-Host' ? 'Host' : name,
              value,
            ]),
          }),
      };
      const found = await compareAddresses(believing, '/openapi.php');
      expect(found.flatMap(({ what }) => what ?? [])).toEqual([
        'servers[0].url is http://elsewhere.example: X-Forwarded-Host of a client does not count',
      ]);
    } finally {
      client.close();
    }
  });
});

describe('of the web UI', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startWebService();
  });
  afterAll(() => service.close());

  test('a cookie of a session must be out of reach for scripts and other sites, and end with the session', () => {
    const faultsOf = (cookie: string): string[] =>
      cookieFaults(webContract, {
        status: 200,
        headers: { 'set-cookie': [cookie] },
        text: '',
        body: undefined,
      }).map(({ text }) => text);
    expect(faultsOf('session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60')).toEqual([]);
    expect(faultsOf('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')).toEqual([]);
    expect(faultsOf('theme=dark')).toEqual([]);
    expect(faultsOf('session=x; SameSite=None')).toEqual([
      'the cookie session lacks HttpOnly',
      'the cookie session lacks SameSite=Lax or Strict',
    ]);
    expect(faultsOf('session=; HttpOnly; SameSite=Strict; Max-Age=60')).toEqual([
      'the empty cookie session lacks Max-Age=0',
    ]);
  });

  test('something that is listed otherwise than it was created is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { method, requestTarget }) =>
        method === 'GET' && requestTarget === '/web/keys' && answer.status === 200
          ? withBody(answer, ({ keys }) => ({
              keys: (keys as Json[]).map((key) => ({ ...key, rateLimit: 77 })),
            }))
          : answer,
    };
    const failures = await findThrough(service, conformance, defect, onlySuccesses('createKey', 'listKeys'));
    expect(failures).toMatchObject({
      'createKey: what was created is listed as it was created': expect.stringMatching(
        /^rateLimit is listed as 77, and in the answer it is \d+/,
      ),
    });
  });

  test('a filter that has no effect is found by conformance', async () => {
    const defect: Defect = {
      request: (request) => ({ ...request, requestTarget: request.requestTarget.replace(/state=\w+/, '') }),
    };
    expect(await findThrough(service, conformance, defect, onlySuccesses('listVouchers'))).toMatchObject({
      'listVouchers: the filter state=valid finds what has this value': expect.stringMatching(
        /^it finds \d+, whose state is "/,
      ),
    });
  });

  test('an entry that is left out between two pages is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { requestTarget }) =>
        requestTarget.includes('cursor=') && answer.status === 200
          ? withBody(answer, ({ vouchers, ...page }) => ({
              ...page,
              vouchers: (vouchers as unknown[]).slice(1),
            }))
          : answer,
    };
    expect(await findThrough(service, conformance, defect, onlySuccesses('listVouchers'))).toEqual({
      'listVouchers: no item is left out between pages': expect.stringMatching(/is on none of the pages$/),
    });
  });
});
