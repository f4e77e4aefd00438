import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProxy, violationsOf } from '../cli/proxy/servers.js';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import type { TestFolder } from '../support/folder.js';
import { startInForeground, type ForegroundCommand } from '../support/foreground.js';
import { send, type Answer } from '../support/service.js';
import { contract, type Feature } from './feature.js';
import { features } from './features.js';
import { serveFeature } from './servedFeature.js';
import { writeContract } from './writtenContract.js';

/** What depends on extension keys, which contracts of others do not have. */
const byExtensionKeys = [
  ...['with its message', 'with their messages', 'a level below, with its message'],
  ...['all of them, with their conversions', 'a schema converts them', 'at one that is allowed'],
  ...['are converted item by item', 'converted at every level', 'or converted', 'the others converted'],
  ...['both hold', 'as JSON is, with its conversions', 'with the conversions of extension keys'],
];

/** A page of the web UI, which the mock has, too. */
const otherwiseInMock = ['never empty'];

/** What only the proxy reports, and what it passes on unread. */
const otherwiseInProxy = [
  ...['unknown ones are left out', 'unknown fields are left out', 'and where it is unknown'],
  ...['that is missing', 'too large', 'another charset gets 415'],
];

/** Does the contract not allow this request? */
const isRefused = (expected: unknown): boolean => {
  const { status, body } = expected as Partial<Answer>;
  return (
    status === 400 ||
    status === 405 ||
    status === 406 ||
    status === 415 ||
    (status === 404 && body === undefined)
  );
};

const casesOf = ({ cases }: Feature, without: readonly string[]) =>
  cases
    .filter(([what]) => !without.includes(what) && !/converted by (?:it|its own)$/.test(what))
    .map(([what, request, expected]) => [what, request, isRefused(expected)] as const);

const refusals = [400, 404, 405, 406, 415];

const json = { 'Content-Type': 'application/json' };

describe.each(features.map((feature) => [feature.row, feature] as const))('%s', (_row, feature) => {
  let folder: TestFolder;
  let server: ContractServer;
  let mock: ForegroundCommand;
  let proxy: ForegroundCommand;
  beforeAll(async () => {
    const { paths, components, openapi, head, files = {} } = feature;
    folder = await writeContract(contract(paths, components, openapi, head), files);
    const file = join(folder.path, 'openapi.yaml');
    server = await startContractServer(serveFeature(feature, file));
    mock = await startInForeground(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'silent' });
    proxy = await startProxy(server.url, '--contract', file);
  });
  afterAll(async () => {
    expect(await mock.end()).toBe(0);
    await proxy.end();
    await server.stop();
    await folder.remove();
  });

  test.each(casesOf(feature, [...byExtensionKeys, ...otherwiseInMock]))(
    'mock: %s',
    async (_what, [method, path, options], isWrong) => {
      const { status } = await send(mock.url, method, path, options);
      if (isWrong) expect(refusals).toContain(status);
      else expect(refusals).not.toContain(status);
    },
  );

  test.each(casesOf(feature, [...byExtensionKeys, ...otherwiseInProxy]))(
    'proxy: %s',
    async (_what, [method, path, options], isWrong) => {
      const headers = { ...(options?.body !== undefined && json), ...options?.headers };
      const violations = violationsOf(await send(proxy.url, method, path, { key: 'x', ...options, headers }));
      if (isWrong) expect(violations).toContainEqual(expect.stringMatching(/^request /));
      else expect(violations).toEqual([]);
    },
  );
});
