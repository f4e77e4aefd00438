import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startProxy, violationsOf } from '../cli/proxy/servers.js';
import { startContractServer } from '../support/contractServer.js';
import { makeFolder } from '../support/folder.js';
import { startInForeground } from '../support/foreground.js';
import { send } from '../support/service.js';
import { readOperation } from '../../tools/contract/src/document/operations.js';
import { judgeSample } from '../../tools/contract/src/generated/oracle/oracle.js';
import { parseContract } from '../../src/contract/contract.js';
import { directionFeatures, directionFeatures31 } from './directionFeatures.js';
import { contract, type HandlerRequest } from './feature.js';

const versions = [...directionFeatures, ...directionFeatures31].map(
  ({ openapi = '', paths, components }) => [openapi, contract(paths, components, openapi)] as const,
);
const leaking = ({ input, reply }: HandlerRequest): unknown =>
  reply(200, { ...(input['body'] as object), id: 7 });
const sent = { body: { name: 'A', password: 'secret' }, headers: { 'Content-Type': 'application/json' } };

test.each(versions)('%s: a reply with a field that is only written is not documented', async (_, source) => {
  const server = await startContractServer({ source, handlers: { createUser: leaking } });
  await send(server.url, 'POST', '/users', sent);
  expect(server.violations).toEqual(['createUser: /password must not be in a response: it is writeOnly']);
  await server.stop();
});

test.each(versions)('%s: the proxy reports fields that go the wrong way', async (_, source) => {
  const folder = await makeFolder();
  const file = join(folder.path, 'openapi.yaml');
  await writeFile(file, source);
  const server = await startContractServer({ source, handlers: { createUser: leaking } });
  const proxy = await startProxy(server.url, '--contract', file);
  const post = async (body: object): Promise<string[]> =>
    violationsOf(await send(proxy.url, 'POST', '/users', { ...sent, key: 'x', body }));
  expect(await post(sent.body)).toEqual([
    'response body: /password must not be in a response: it is writeOnly',
  ]);
  expect(await post({ ...sent.body, id: 1 })).toEqual(['request body: /id must not be sent: it is readOnly']);
  await proxy.end();
  await server.stop();
  await folder.remove();
});

test.each(versions)('%s: the mock answers without fields that are only written', async (_, source) => {
  const folder = await makeFolder();
  const file = join(folder.path, 'openapi.yaml');
  await writeFile(file, source);
  for (const options of [[], ['--dynamic']]) {
    const mock = await startInForeground(['mock', '--contract', file, ...options], {
      PORT: '0',
      LOG_LEVEL: 'silent',
    });
    const { status, body } = await send(mock.url, 'POST', '/users', sent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: expect.any(Number), name: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain('password');
    await mock.end();
  }
  await folder.remove();
});

test.each(versions)('%s: the contract run expects the refusal', (_, source) => {
  const operation = readOperation(parseContract(source).operations.get('createUser')!);
  const judge = (body: object): unknown =>
    judgeSample(operation, { path: {}, query: [], headers: [], body: JSON.stringify(body) });
  expect(judge(sent.body)).toMatchObject({ kind: 'accepted' });
  expect(judge({ ...sent.body, id: 1 })).toMatchObject({ kind: 'refused', field: 'body id' });
});
