import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startProxy, violationsOf } from '../cli/proxy/servers.js';
import { startContractServer } from '../support/contractServer.js';
import { startInForeground } from '../support/foreground.js';
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

interface ToolCase {
  readonly what: string;
  readonly request: Feature['cases'][number][1];
  readonly expected: Partial<Answer>;
  readonly isWrong: boolean;
}

/** A good case, a bad one, and those in which the tool differs from the service. */
const casesOf = ({ row, cases }: Feature, tool: 'mock' | 'proxy'): readonly ToolCase[] => {
  const named = differences[row]?.[tool]?.cases ?? [];
  const all = cases.map(([what, request, expected]): ToolCase => {
    const isDifferent = [...byExtensionKeys, ...named].includes(what.replace(/^anyOf: /, ''));
    const isWrong = isRefused(expected) !== isDifferent;
    return { what, request, expected: expected as Partial<Answer>, isWrong };
  });
  const chosen = [all.find(({ isWrong }) => !isWrong), all.find(({ isWrong }) => isWrong)];
  return all.filter((one) => chosen.includes(one) || named.includes(one.what.replace(/^anyOf: /, '')));
};

const refusals = [400, 401, 404, 405, 406, 413, 415];

const json = { 'Content-Type': 'application/json' };

test.each(features.map((feature) => [feature.row, feature] as const))('%s', async (row, feature) => {
  const { basePath = '' } = feature;
  const folder = await writeContract(contractOf(feature), feature.files ?? {});
  const file = join(folder.path, 'openapi.yaml');

  const mock = await startInForeground(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'silent' });
  for (const { what, request, expected, isWrong } of casesOf(feature, 'mock')) {
    const [method, path, options] = request;
    const { status, body } = await send(mock.url + basePath, method, path, options);
    const got = { tool: 'mock', what, isRefused: refusals.includes(status) };
    expect(got).toEqual({ tool: 'mock', what, isRefused: isWrong });
    // The form and the texts of errors are the contract's, unless the table says otherwise.
    const errorBody = differences[row]?.mock?.errorBody ?? expected.body;
    if (isWrong && serviceFeatures.includes(feature)) expect(body).toMatchObject(errorBody as object);
  }
  expect(await mock.end()).toBe(0);

  const server = await startContractServer(serveFeature(feature, file));
  const proxy = await startProxy(server.url + basePath, '--contract', file);
  for (const { what, request, isWrong } of casesOf(feature, 'proxy')) {
    const [method, path, options] = request;
    const headers = { ...(options?.body !== undefined && json), ...options?.headers };
    const key = feature.access ? {} : { key: 'x' };
    const violations = violationsOf(await send(proxy.url, method, path, { ...key, ...options, headers }));
    const found = isWrong ? expect.arrayContaining([expect.stringMatching(/^request /)]) : [];
    expect({ tool: 'proxy', what, violations }).toEqual({ tool: 'proxy', what, violations: found });
  }
  await proxy.end();
  await server.stop();
  await folder.remove();
});
