import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { findServerPathFault } from '../../src/contract/serverPath.js';
import { contractFile } from '../support/contract.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { startInForeground } from '../support/foreground.js';
import { startService } from '../support/service.js';

const written = readFileSync(contractFile, 'utf8');
const withServer = (url: string) =>
  parseContract(written.replace('- url: http://localhost:3000', `- url: ${url}`));

test.each([
  ['http://localhost:3000', ''],
  ['http://localhost:3000/', '/api'],
  ['https://example.org/api/', '/api'],
  ['http://localhost:3000/web', '/api/web'],
  ['/', ''],
])('%s is obeyed below "%s"', (url, basePath) => {
  expect(findServerPathFault(withServer(url), basePath)).toBeUndefined();
});

test.each([
  ['http://localhost:3000/v1', '', 'without a path before them'],
  ['https://{host}/{version}/x', '/api', 'below /api'],
  ['/v1?a=b', '', 'without a path before them'],
])('%s is not obeyed below "%s", and its place is told', (url, basePath, place) => {
  const fault = findServerPathFault(withServer(url), basePath)!;
  expect(fault.message).toMatch(/^openapi\.yaml:\d+:10: servers\[0\]\.url has the path \//);
  expect(fault.what).toContain(`but the operations are ${place}`);
});

test('variables of the server count with their defaults', () => {
  const variables = `\n    variables: { host: { default: api.example.org }, version: { enum: [v1, v2], default: v2 } }`;
  const contract = withServer(`https://{host}/{version}/${variables}`);
  expect(findServerPathFault(contract, '/api/v2')).toBeUndefined();
  expect(findServerPathFault(contract, '/v1')?.what).toContain(
    'has the path /v2, but the operations are below /v1',
  );
  expect(() => withServer('https://{host}/\n    variables: { host: {} }')).toThrow(
    /servers\[0\]\.variables\.host\.default is missing/,
  );
});
const folder = forAllTests(makeFolder, 'remove');

test('a service does not start with a path that it does not serve, and starts below it', async () => {
  const file = join(folder.path, 'below.yaml');
  await writeFile(file, written.replace('url: http://localhost:3000', '$&/v1'));
  await expect(startService({ contractFile: file })).rejects.toThrow(
    /below\.yaml:\d+:10: servers\[0\]\.url has the path \/v1, .*: remove it, or set BASE_PATH$/,
  );
  const service = await startService({ contractFile: file, env: { BASE_PATH: '/v1' } });
  expect((await service.get('/openapi.php')).status).toBe(200);
  await service.stop();
});

test('a mock serves below the path of the contract, or below the one that it is given', async () => {
  const file = join(folder.path, 'versioned.yaml');
  await writeFile(
    file,
    `openapi: 3.0.3
info: { title: T, version: '1' }
servers: [{ url: 'https://{host}/v1/', variables: { host: { default: example.org } } }]
paths:
  /a: { get: { responses: { '204': { description: d } } } }
`,
  );
  const start = (env: Record<string, string>) =>
    startInForeground(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'warn', ...env });
  const statusesOf = async (url: string): Promise<readonly number[]> => {
    const answers = await Promise.all(['/a', '/v1/a', '/v2/a'].map((path) => fetch(url + path)));
    return answers.map(({ status }) => status);
  };
  const obedient = await start({});
  const given = await start({ BASE_PATH: '/v2' });
  const root = await start({ BASE_PATH: '/' });
  expect(obedient.out()).toContain(`GET    ${obedient.url}/v1/a`);
  expect(await statusesOf(obedient.url)).toEqual([404, 204, 404]);
  expect(await statusesOf(given.url)).toEqual([404, 404, 204]);
  expect(await statusesOf(root.url)).toEqual([204, 404, 404]);
  for (const command of [obedient, given, root]) await command.end();
});

test('mock and proxy tell of a contract of others what they do not obey, and serve it', async () => {
  const file = join(folder.path, 'other.yaml');
  const mixed = 'multipart/mixed: { schema: { type: object } }';
  const form = 'multipart/form-data: { schema: { required: [b] } }';
  const problem = 'application/problem+json: { schema: { type: object } }';
  await writeFile(
    file,
    `openapi: 3.0.3
info: { title: T, version: '1' }
servers: [{ url: https://example.org/v1 }]
paths:
  /a:
    post:
      requestBody: { content: { ${mixed} } }
      responses: { '204': { description: d }, '400': { description: d, content: { ${problem} } } }
    put:
      requestBody: { content: { ${mixed}, ${form} } }
      responses: { '204': { description: d } }
`,
  );
  const wanted = [
    'servers[0].url has the path /v1, but the operations are without a path before them',
    'PUT /a: requests of multipart/mixed are not validated, and in 1 more',
  ];
  const env = { PORT: '0', LOG_LEVEL: 'warn', BASE_PATH: '/' };
  const mock = await startInForeground(['mock', '--contract', file], env);
  const proxy = await startInForeground(['proxy', mock.url, '--port', '0', '--contract', file], {});
  const below = await startInForeground(['proxy', `${mock.url}/v1`, '--port', '0', '--contract', file], {});
  for (const text of wanted)
    expect(proxy.err()).toMatch(new RegExp(`not checked: .*${text.replace(/[[\]+]/g, '\\$&')}`));
  expect(below.err()).not.toContain('servers[0]');
  const body = new FormData();
  expect((await fetch(`${mock.url}/a`, { method: 'PUT', body })).status).toBe(400);
  body.set('b', '1');
  expect((await fetch(`${mock.url}/a`, { method: 'PUT', body })).status).toBe(204);
  for (const command of [proxy, below, mock]) await command.end();
});
