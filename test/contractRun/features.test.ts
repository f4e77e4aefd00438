import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseThirdPartyContract } from '../../tools/contract/src/contract.js';
import { runThirdPartyContract } from '../../tools/contract/src/thirdParty/thirdPartyRun.js';
import { contract, type Feature } from '../contract/feature.js';
import { features } from '../contract/features.js';
import { serveFeature } from '../contract/servedFeature.js';
import { writeContract } from '../contract/writtenContract.js';
import { startContractServer } from '../support/contractServer.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { failuresOf } from './stageRun.js';

let reports: TestFolder;
beforeAll(async () => {
  reports = await makeFolder();
});
afterAll(() => reports.remove());

/** What `voucherd contract` says of a service that has one feature of contracts, and is as its contract says. */
const runOn = async (feature: Feature) => {
  const { paths, components, openapi, head, files = {} } = feature;
  const folder = await writeContract(contract(paths, components, openapi, head), files);
  const file = join(folder.path, 'openapi.yaml');
  const server = await startContractServer(serveFeature(feature, file));
  const result = await runThirdPartyContract(
    {
      ...{ stages: ['generated'], contract: file, url: server.url, allowWrites: true },
      ...{ keyEnv: ['bearerAuth=TOKEN'], keyFile: [], header: [], maxRequests: 60, seed: 1, runs: 1 },
      out: join(reports.path, 'report'),
    },
    {
      env: { TOKEN: 'a-token-of-some-length' },
      screen: { isTerminal: false, columns: 80, write: () => undefined },
      now: Date.now,
      onInterrupt: () => undefined,
    },
  );
  await server.stop();
  const contracts = result?.contracts ?? [];
  const { leftOut } = parseThirdPartyContract(readFileSync(file, 'utf8'), file);
  await folder.remove();
  const cases = contracts.flatMap(({ stages }) => stages.flatMap((stage) => stage.cases));
  return {
    failures: Object.assign({}, ...contracts.map(failuresOf)) as object,
    cases: cases.length,
    leftOut,
  };
};

/**
 * Rows whose service is stricter or more lenient than their contract says to others, who do not know extension keys, or answers
 * with what it is asked for. The run says so; it must have asked.
 */
const otherwise = [
  ...['several files', 'several parameters between two slashes', 'parameters in the query', 'cookies'],
  ...['`additionalProperties`', '`nullable`', '`exclusiveMinimum`, `exclusiveMaximum`', 'lists in bodies'],
  ...['`readOnly`, `writeOnly`', 'recursive schemas', 'statuses `default` and `4XX`'],
  ...['OpenAPI 3.1: `readOnly`, `writeOnly`', 'OpenAPI 3.1: recursive schemas'],
  'OpenAPI 3.1: `if`, `then`, `else`, `dependentRequired`, `dependentSchemas`',
  'OpenAPI 3.1: `patternProperties`, `propertyNames`, `unevaluatedProperties`',
  ...['forms: `application/x-www-form-urlencoded`', 'forms with files: `multipart/form-data`'],
  ...['responses that are not JSON', 'responses of `+json` media types'],
  ...['request bodies of `+json` media types', 'several media types of a request'],
];

test('the rows that are compared otherwise exist', () => {
  const rows = features.map(({ row }) => row);
  expect(otherwise.filter((row) => !rows.includes(row))).toEqual([]);
});

test.each(features.map((feature) => [feature.row, feature] as const))(
  'the contract run makes requests of %s',
  async (row, feature) => {
    const { failures, cases, leftOut } = await runOn(feature);
    expect(leftOut).toEqual([]);
    expect(cases).toBeGreaterThan(0);
    if (!otherwise.includes(row)) expect(failures).toEqual({});
  },
);
