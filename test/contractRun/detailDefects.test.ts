import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { methodFaults } from '../../tools/contract/src/conformance/methods.js';
import { sendLine } from '../../tools/contract/src/conformance/requestLine.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { fileFaults, formulas } from '../scenarios/web/files.js';
import type { Defect, ProxiedAnswer, ProxiedRequest } from '../support/faultInjectionProxy.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { onlyOperations, onlyStatus } from './stageRun.js';
import { findThrough, withBody, type Json } from './throughDefect.js';
import { onlySuccesses, startWebService } from './webService.js';

const headerOf = ({ headers }: Pick<ProxiedRequest, 'headers'>, name: string): string | undefined =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1];

const without = <Message extends Pick<ProxiedRequest, 'headers'>>(
  message: Message,
  name: string,
): Message => ({
  ...message,
  headers: message.headers.filter(([given]) => given.toLowerCase() !== name),
});

const withStatus = (answer: ProxiedAnswer, status: number): ProxiedAnswer => ({ ...answer, status });

describe('of the API', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalServiceInProcess();
  });
  afterAll(() => service.close());

  test('a key that is let in because it was once, although it is revoked, is found by security', async () => {
    const known = new Map<string, ProxiedAnswer>();
    const defect: Defect = {
      answer: (answer, request) => {
        const key = headerOf(request, 'authorization') ?? '';
        if (answer.status === 200) known.set(key, answer);
        return answer.status === 401 ? (known.get(key) ?? answer) : answer;
      },
    };
    expect(await findThrough(service, security, defect, onlyOperations('listSites'))).toMatchObject({
      'listSites: a key that was let in gives 401 once it is revoked': expect.stringMatching(
        /^the status is 200 instead of 401/,
      ),
    });
  });

  test('a 401 for a wrong method that does not say how to authenticate is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { method }) => (method === 'HEAD' ? without(answer, 'www-authenticate') : answer),
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('listSites', 401))).toMatchObject({
      'HEAD /sites.php without a key gives 401': 'the header WWW-Authenticate is missing',
    });
  });

  test('a wrong method that takes the key from one header alone is found by conformance', async () => {
    const defect: Defect = {
      request: (request) => (request.method === 'POST' ? without(request, 'x-api-key') : request),
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('listSites', 200))).toMatchObject({
      'POST /sites.php gives 405 with Allow: GET': expect.stringMatching(/^the status is 401 instead of 405/),
    });
  });

  test('a 405 of the description without Allow is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { requestTarget }) =>
        requestTarget === '/openapi.php' && answer.status === 405 ? without(answer, 'allow') : answer,
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('listSites', 200))).toEqual({
      '/openapi.php has no other methods': 'Allow is "" instead of "GET, HEAD"',
    });
  });

  test('an Idempotency-Key that is not free after a 502 is found by conformance', async () => {
    const taken = new Set<string>();
    const defect: Defect = {
      answer: (answer, request) => {
        const key = headerOf(request, 'idempotency-key');
        if (key !== undefined && taken.has(key)) return withStatus(answer, 409);
        if (key !== undefined && answer.status === 502) taken.add(key);
        return answer;
      },
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('createVoucher', 201))).toMatchObject({
      'createVoucher 201 with the Idempotency-Key of an order that gave no voucher': expect.stringMatching(
        /^the status is 409 instead of 201/,
      ),
    });
  });

  test('a body that is only read with the right Content-Type is found by conformance', async () => {
    const defect: Defect = {
      request: (request) =>
        headerOf(request, 'content-type') === 'text/plain'
          ? { ...without(request, 'content-length'), body: Buffer.from('{}') }
          : request,
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('createVoucher', 201))).toEqual({
      'createVoucher 201 with a body of the type text/plain': expect.stringMatching(
        /^the status is 400 instead of 201/,
      ),
    });
  });

  test('a query of which only the first thousand parameters are read is found by conformance', async () => {
    const defect: Defect = {
      request: (request) => {
        const [path = '', query = ''] = request.requestTarget.split('?');
        return { ...request, requestTarget: `${path}?${query.split('&').slice(0, 1000).join('&')}` };
      },
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('listVouchers', 200))).toEqual({
      'listVouchers 200 with its parameters behind a thousand that nobody knows': expect.stringMatching(
        /^the status is 400 instead of 200/,
      ),
    });
  });

  test('a revoked voucher that stays valid in the list is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer) => ({
        ...answer,
        body: Buffer.from(String(answer.body).replaceAll('"status":"expired"', '"status":"valid"')),
      }),
    };
    expect(await findThrough(service, conformance, defect, onlyStatus('listVouchers', 200))).toEqual({
      'listVouchers 200 after a voucher was revoked': 'the status of a revoked voucher is "valid"',
    });
  });

  test('a method in small letters is another one, which gives 405 with Allow', async () => {
    const line = { method: 'get', path: '/sites.php', version: '1.1' } as const;
    expect(methodFaults('get', ['GET'], await sendLine(service.url, line))).toEqual([]);
    const usual = createServer();
    await new Promise<void>((resolve) => {
      usual.listen(0, '127.0.0.1', resolve);
    });
    const { port } = usual.address() as AddressInfo;
    const answer = await sendLine(`http://127.0.0.1:${String(port)}`, line);
    usual.close();
    expect(methodFaults('get', ['GET'], answer)).toMatchObject([
      { text: expect.stringMatching(/^the status is 400 instead of 405/) },
    ]);
  });
});

describe('of the web UI', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startWebService();
  });
  afterAll(() => service.close());

  test('an id that is not found in capitals is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { requestTarget }) =>
        /\/orders\/[0-9A-F-]{36}$/.test(requestTarget) ? withStatus(answer, 404) : answer,
    };
    expect(await findThrough(service, conformance, defect, onlySuccesses('getOrder'))).toMatchObject({
      "getOrder 200 with one's own order, and the UUID in capitals": expect.stringMatching(
        /^the status is 404 instead of 200/,
      ),
    });
  });

  test('what is taken away, and listed all the same, is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer, { method, requestTarget }) =>
        method === 'GET' && requestTarget === '/web/order-limits' && answer.status === 200
          ? withBody(answer, ({ limits }) => ({
              limits: (limits as Json[]).map((limit) => ({ ...limit, maxUses: limit['maxUses'] ?? 5 })),
            }))
          : answer,
    };
    const operations = onlySuccesses('updateOrderLimit', 'listOrderLimits');
    expect(await findThrough(service, conformance, defect, operations)).toMatchObject({
      'updateOrderLimit: what is taken away is listed so': 'maxUses is listed as 5, and was changed to null',
    });
  });

  test('a cell that begins a formula is found by conformance', async () => {
    const defect: Defect = {
      answer: (answer) => ({ ...answer, body: Buffer.from(String(answer.body).replaceAll(`"'@`, '"@')) }),
    };
    expect(await findThrough(service, conformance, defect, onlySuccesses('exportVouchers'))).toMatchObject({
      'exportVouchers 200 of vouchers whose names look like formulas': 'a cell begins a formula: "@SUM(1)"',
    });
  });

  test('a file has a byte order mark, quoted cells, and no formulas', () => {
    expect(fileFaults({ text: `\ufeff"code";"name"\r\n"1";"'=SUM(1)"\r\n"2";"Zimmer ""12"""\r\n` })).toEqual(
      [],
    );
    expect(fileFaults({ text: '"code"\r\n' })).toEqual(['the file has no byte order mark']);
    expect(fileFaults({ text: '\ufeff"code"\r\n1\r\n' })).toEqual([
      'line 2 of the file is none of quoted cells',
    ]);
    for (const formula of formulas)
      expect(fileFaults({ text: `\ufeff"${formula}"\r\n` })).toEqual([
        `a cell begins a formula: ${JSON.stringify(formula)}`,
      ]);
  });
});
