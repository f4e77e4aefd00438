import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProxy, violationsOf } from '../cli/proxy/servers.js';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import type { TestFolder } from '../support/folder.js';
import { startInForeground, type ForegroundCommand } from '../support/foreground.js';
import { send, type Answer } from '../support/service.js';
import { contractOf, type Feature } from './feature.js';
import { byExtensionKeys, differences } from './featureDifferences.js';
import { features } from './features.js';
import { serveFeature } from './servedFeature.js';
import { serviceFeatures } from './serviceFeatures.js';
import { writeContract } from './writtenContract.js';

/** Does the contract not allow this request? */
const isRefused = (expected: unknown): boolean => {
  const { status, body } = expected as Partial<Answer>;
  return (
    status === 400 ||
    status === 401 ||
    status === 405 ||
    status === 406 ||
    status === 413 ||
    status === 415 ||
    (status === 404 && body === undefined)
  );
};

/** Each case, and whether the tool refuses its request: where it differs from the service, the other way round. */
const casesOf = ({ row, cases }: Feature, tool: 'mock' | 'proxy') => {
  const different = [...byExtensionKeys, ...(differences[row]?.[tool]?.cases ?? [])];
  return cases.map(([what, request, expected]) => {
    const isDifferent = different.includes(what.replace(/^anyOf: /, ''));
    return [what, request, isRefused(expected) !== isDifferent] as const;
  });
};

const refusals = [400, 401, 404, 405, 406, 413, 415];

const json = { 'Content-Type': 'application/json' };

describe.each(features.map((feature) => [feature.row, feature] as const))('%s', (_row, feature) => {
  const { basePath = '' } = feature;
  let folder: TestFolder;
  let server: ContractServer;
  let mock: ForegroundCommand;
  let proxy: ForegroundCommand;
  beforeAll(async () => {
    folder = await writeContract(contractOf(feature), feature.files ?? {});
    const file = join(folder.path, 'openapi.yaml');
    server = await startContractServer(serveFeature(feature, file));
    mock = await startInForeground(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'silent' });
    proxy = await startProxy(server.url + basePath, '--contract', file);
  });
  afterAll(async () => {
    expect(await mock.end()).toBe(0);
    await proxy.end();
    await server.stop();
    await folder.remove();
  });

  test.each(casesOf(feature, 'mock'))('mock: %s', async (what, [method, path, options], isWrong) => {
    const answer = await send(mock.url + basePath, method, path, options);
    if (isWrong) expect(refusals).toContain(answer.status);
    else expect(refusals).not.toContain(answer.status);
    // The form and the texts of errors are the contract's, unless the table says otherwise.
    const [, , expected] = feature.cases.find(([name]) => name === what) ?? [];
    const body = differences[feature.row]?.mock?.errorBody ?? (expected as Partial<Answer>).body;
    if (isWrong && serviceFeatures.includes(feature)) expect(answer.body).toMatchObject(body as object);
  });

  test.each(casesOf(feature, 'proxy'))('proxy: %s', async (_what, [method, path, options], isWrong) => {
    const headers = { ...(options?.body !== undefined && json), ...options?.headers };
    const key = feature.access ? {} : { key: 'x' };
    const violations = violationsOf(await send(proxy.url, method, path, { ...key, ...options, headers }));
    if (isWrong) expect(violations).toContainEqual(expect.stringMatching(/^request /));
    else expect(violations).toEqual([]);
  });
});
