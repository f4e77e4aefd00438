import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseThirdPartyContract } from '../../tools/contract/src/contract.js';
import { contractOf, type Feature } from '../contract/feature.js';
import { differences } from '../contract/featureDifferences.js';
import { features } from '../contract/features.js';
import { serveFeature } from '../contract/servedFeature.js';
import { writeContract } from '../contract/writtenContract.js';
import { startContractServer } from '../support/contractServer.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { allFailuresOf, runInProcess } from './thirdPartyRun.js';

const reports = forAllTests(makeFolder, 'remove');

/** Each security scheme of a feature has the same secret. */
const keyEnvOf = ({ securitySchemes = '' }: Feature): string[] => {
  const names = [...securitySchemes.matchAll(/^(\w+):/gm)].map(([, name = '']) => name);
  return ['bearerAuth', ...names].map((name) => `${name}=TOKEN`);
};

/** What `voucherd contract` says of a service that has one feature of contracts, and is as its contract says. */
const runOn = async (feature: Feature) => {
  const folder = await writeContract(contractOf(feature), feature.files ?? {});
  const file = join(folder.path, 'openapi.yaml');
  const server = await startContractServer(serveFeature(feature, file));
  const url = server.url + (feature.basePath ?? '');
  const given = { stages: ['generated'], contract: file, url, keyEnv: keyEnvOf(feature) };
  // A user and a password where they are wanted.
  const env = { TOKEN: 'good-token:of-some-length' };
  const result = await runInProcess(reports.path, env, { ...given, maxRequests: 60, runs: 1 });
  await server.stop();
  const contracts = result?.contracts ?? [];
  const { leftOut } = parseThirdPartyContract(readFileSync(file, 'utf8'), file);
  await folder.remove();
  const cases = contracts.flatMap(({ stages }) => stages.flatMap((stage) => stage.cases));
  return {
    failures: allFailuresOf(result),
    cases: cases.length,
    leftOut,
  };
};

test('the contract run makes requests of every feature, and finds only what docs/features.md says', async () => {
  for (const feature of features) {
    const { row } = feature;
    const { failures, cases, leftOut } = await runOn(feature);
    const { findings = [] } = differences[row]?.contractRun ?? {};
    expect({ row, leftOut, isTried: cases > 0, found: Object.values(failures) }).toEqual({
      ...{ row, leftOut: [], isTried: true },
      found: findings.map((finding) => expect.stringMatching(finding)),
    });
  }
});
