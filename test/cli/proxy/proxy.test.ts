import { writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../../simulators/certificate.js';
import { withApi } from '../../support/api.js';
import { expectOneLine, run } from '../../support/cli.js';
import { makeFolder } from '../../support/folder.js';
import type { ForegroundCommand } from '../../support/foreground.js';
import { send, type RequestOptions } from '../../support/service.js';
import { startProxy, startServer, violationsOf, type TestServer } from './servers.js';

const json = { 'Content-Type': 'application/json' };

describe('between a client and this service', () => {
  const api = withApi();
  let proxy: ForegroundCommand;
  let key: string;
  let site: number;
  beforeAll(async () => {
    proxy = await startProxy(api.url);
    [key, site] = [await api.addKey(), await api.addSite()];
  });

  test('everything that is as documented passes unchanged, and without a line', async () => {
    const body = { site_id: site, name: 'Über den Proxy' };
    const requests: [number, string, string, RequestOptions][] = [
      [201, 'POST', '/vouchers.php', { key, body, headers: json }],
      [200, 'GET', '/sites.php', { key }],
      [200, 'GET', `/vouchers.php?site_id=${site}`, { headers: { 'X-API-Key': key } }],
      [401, 'GET', '/sites.php', { key: 'uvt_falsch' }],
      [404, 'POST', '/vouchers.php', { key, body: { ...body, site_id: 4711 }, headers: json }],
    ];
    const before = proxy.out();
    for (const [status, method, path, options] of requests) {
      const answer = await send(proxy.url, method, path, options);
      expect(answer.status).toBe(status);
      expect(answer.headers).not.toHaveProperty('x-contract-violation');
      expect(answer.headers['x-request-id']).toBeDefined();
    }
    const [direct, proxied] = [
      await api.get('/sites.php', { key }),
      await send(proxy.url, 'GET', '/sites.php', { key }),
    ];
    expect(proxied.text).toBe(direct.text);
    const { etag } = direct.headers;
    const again = await send(proxy.url, 'GET', '/sites.php', { key, headers: { 'If-None-Match': etag! } });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(proxy.out()).toBe(before);
  });

  test.each<[string, string, string, RequestOptions, string[]]>([
    ['a path', 'GET', '/docs', {}, ['request path: the contract does not have this path']],
    [
      'a method',
      'DELETE',
      '/vouchers.php',
      {},
      ['request method: the contract does not have "DELETE" here, only GET, POST'],
    ],
    [
      'a request without a key',
      'GET',
      '/sites.php',
      {},
      ['request security: has no credentials for bearerAuth, or apiKeyAuth'],
    ],
    [
      'a parameter that is missing',
      'GET',
      '/vouchers.php',
      { key: 'uvt_x' },
      ["request parameter: must have required property 'site_id' in the query"],
    ],
    [
      'a parameter that is wrong, and one that is not documented',
      'GET',
      '/vouchers.php?site_id=0&page=2',
      { key: 'uvt_x' },
      [
        'request parameter: "page" in the query is not documented',
        'request parameter: site_id in the query must be >= 1',
      ],
    ],
    [
      'a header that is wrong',
      'POST',
      '/vouchers.php',
      {
        key: 'uvt_x',
        headers: { ...json, 'Idempotency-Key': 'a b' },
        body: { site_id: 1, name: 'x' },
      },
      [
        String.raw`request parameter: idempotency-key in the header must match pattern "^[\x21-\x7e]{1,255}$"`,
      ],
    ],
    [
      'a content type',
      'POST',
      '/vouchers.php',
      { key: 'uvt_x', headers: { 'Content-Type': 'text/plain' }, body: { site_id: 1, name: 'x' } },
      ['request content type: "text/plain", not application/json'],
    ],
    [
      'a body',
      'POST',
      '/vouchers.php',
      { key: 'uvt_x', headers: json, body: { name: '' } },
      [
        "request body: must have required property 'site_id'",
        'request body: /name must NOT have fewer than 1 characters',
      ],
    ],
    [
      'a body that is no JSON',
      'POST',
      '/vouchers.php',
      { key: 'uvt_x', headers: json, body: '{' },
      ['request body: is not JSON'],
    ],
    [
      'a body where there is none',
      'GET',
      '/sites.php',
      { key: 'uvt_x', headers: json, body: {} },
      ['request body: there is one, and none is documented'],
    ],
  ])('%s is found, and the answer has it as a header', async (_what, method, path, options, expected) => {
    const lines = proxy.out().length;
    const answer = await send(proxy.url, method, path, options);
    expect(violationsOf(answer)).toEqual(expected);
    const place = `${method} ${path.split('?')[0]} ${answer.status}  `;
    expect(proxy.out().slice(lines)).toBe(expected.map((line) => `${place}${line}\n`).join(''));
  });

  test('no key is printed, wherever it is sent', async () => {
    const secret = 'uvt_0123456789abcdef0123456789abcdef';
    await send(proxy.url, 'GET', `/${secret}?${secret}=1`, { key: secret });
    await send(proxy.url, 'GET', `/sites.php?${secret}=${secret}`, { key: secret });
    await send(proxy.url, 'POST', '/vouchers.php', { key: secret, headers: json, body: secret });
    expect(proxy.out() + proxy.err()).not.toContain(secret);
  });

  test('Ctrl-C ends it with a summary, and with status 1 because there were violations', async () => {
    expect(await proxy.end()).toBe(1);
    expect(proxy.err()).toMatch(/^voucherd: \d+ requests, \d+ violations of the contract\n$/);
  });
});

describe('with --fail', () => {
  let server: TestServer;
  let proxy: ForegroundCommand;
  let requests = 0;
  beforeAll(async () => {
    server = await startServer((_req, res) => {
      requests += 1;
      res.writeHead(200, { 'Content-Type': 'text/plain' }).end('wrong');
    });
    proxy = await startProxy(server.url, '--fail');
  });
  afterAll(async () => {
    expect(await proxy.end()).toBe(1);
    await server.stop();
  });

  test('a wrong request gets 400 and is not passed on', async () => {
    const answer = await send(proxy.url, 'GET', '/vouchers.php?site_id=0', { key: 'x' });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: 'contract_violation',
        violations: ['request parameter: site_id in the query must be >= 1'],
      },
    });
    expect(requests).toBe(0);
  });

  test('a wrong response becomes 502', async () => {
    const answer = await send(proxy.url, 'GET', '/sites.php', { key: 'x' });
    expect(answer).toMatchObject({ status: 502, body: { error: 'contract_violation' } });
    expect(violationsOf(answer)).toContain('response content type: "text/plain", not application/json');
    expect(requests).toBe(1);
  });
});

test('a contract of others is checked with --contract; what can not be loaded of it is passed on', async () => {
  const folder = await makeFolder();
  const file = join(folder.path, 'other.yaml');
  const ok = `{ '200': { description: ok, content: { application/json: { schema: { type: integer } } } }, default: { description: x } }`;
  await writeFile(
    file,
    `
openapi: 3.0.3
info: { title: Other, version: '1' }
servers: [{ url: 'http://localhost' }]
components: {}
paths:
  /number/{id}:
    get:
      operationId: number
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: ${ok}
  /odd:
    get:
      responses: { '200': { description: x, content: { application/json: { schema: { minimum: a } } } } }
`,
  );
  const server = await startServer((req, res) => {
    res.writeHead(req.url === '/base/number/9' ? 503 : 200, json).end('"x"');
  });
  const proxy = await startProxy(`${server.url}/base`, '--contract', file);
  expect(proxy.err()).toBe('');
  expect(violationsOf(await send(proxy.url, 'GET', '/odd?a=1'))).toEqual([]);
  expect(proxy.err()).toMatch(/^not checked: .*other\.yaml:\d+:\d+: GET \/odd: schema: /);
  expect(violationsOf(await send(proxy.url, 'GET', '/number/9'))).toEqual([]);
  expect(violationsOf(await send(proxy.url, 'GET', '/number/eins'))).toEqual([
    'request parameter: id in the path must be integer',
    'response body: must be integer',
  ]);
  await proxy.end();
  await server.stop();
  await folder.remove();
});

describe('a server with https', () => {
  test('is trusted with the certificate in --ca-file only', async () => {
    const folder = await makeFolder();
    const { cert, key } = await makeCertificate('localhost');
    const file = join(folder.path, 'ca.pem');
    await writeFile(file, cert);
    const server = createTlsServer({ cert, key }, (_req, res) => res.end('secure'));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const [trusting, other] = [await startProxy(url, '--ca-file', file), await startProxy(url)];
    expect((await send(trusting.url, 'GET', '/')).text).toBe('secure');
    expect(await send(other.url, 'GET', '/')).toMatchObject({
      status: 502,
      body: { error: 'bad_gateway', message: expect.stringMatching(/certificate.*--ca-file/) },
    });
    await Promise.all([trusting.end(), other.end()]);
    server.close();
    server.closeAllConnections();
    await folder.remove();
  });
});

test('without violations it ends with status 0', async () => {
  const proxy = await startProxy('http://127.0.0.1:9');
  expect(await proxy.end()).toBe(0);
  expect(proxy.out()).toMatch(/0 requests, no violations of the contract\n$/);
});

test.each([
  [[], "missing required argument 'url'"],
  [['localhost:3000'], '"localhost:3000" is not allowed: an address such as http://localhost:3000'],
  [['ftp://x'], '"ftp://x" is not allowed'],
  [['http://x/?a=1'], 'is not allowed'],
  [['http://me:geheim@x'], 'the address must not hold a user or a password'],
  [['http://x', '--port', '70000'], '--port: "70000" is not allowed'],
  [['http://x', '--timeout', '0'], '--timeout: "0" is not allowed'],
  [['http://x', '--ca-file', '/nowhere.pem'], '--ca-file: "/nowhere.pem" does not exist'],
  [['http://x', '--ca-file', 'package.json'], 'a file with certificates in PEM'],
  [['http://x', '--contract', '/nowhere.yaml'], '--contract: "/nowhere.yaml" does not exist'],
])('a wrong command line gives one clear line: %j', async (argv, line) => {
  expectOneLine(await run(['proxy', ...argv], {}), line);
});

test('a port in use is named by its option', async () => {
  const taken = await startServer((_req, res) => res.end());
  const { port } = new URL(taken.url);
  const { err, status } = await run(['proxy', 'http://127.0.0.1:9', '--port', port], {});
  await taken.stop();
  expect(status).not.toBe(0);
  expect(err).toContain(`--port: "127.0.0.1" port ${port} is in use: another program listens on ${port}`);
});
