import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runThirdPartyContract } from '../../tools/contract/src/thirdParty/thirdPartyRun.js';
import { isExcuse } from '../../tools/contract/src/target/keys.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { contractFile } from '../support/contract.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { casesOf, failuresOf } from './stageRun.js';

let [service, folder]: [LocalService?, TestFolder?] = [];
beforeAll(async () => {
  [service, folder] = [await startLocalServiceInProcess(), await makeFolder()];
});
afterAll(async () => {
  await service?.close();
  await folder?.remove();
});

// That it replaces values instead of refusing them is said by extension keys, which this run does not read.
test('voucherd contract lets both credentials of the API in, each beside a bad one, and follows its window', async () => {
  const key = service?.keys.permitting('write');
  if (!service || !folder || !key || isExcuse(key)) throw new Error('there is no key');
  const result = await runThirdPartyContract(
    {
      ...{ stages: ['security'], contract: contractFile, url: service.url, allowWrites: true },
      ...{ keyEnv: ['bearerAuth=KEY', 'apiKeyAuth=KEY'], keyFile: [], header: [], maxRequests: 500 },
      ...{ seed: 1, runs: 5, out: join(folder.path, 'report') },
    },
    {
      env: { KEY: key.text() },
      screen: { isTerminal: false, columns: 80, write: () => undefined },
      now: Date.now,
      onInterrupt: () => undefined,
    },
  );
  const contracts = result?.contracts ?? [];
  expect(contracts.map(failuresOf)).toEqual([{}]);
  const passed = contracts
    .flatMap(casesOf)
    .filter(({ outcome }) => outcome === 'passed')
    .map(({ name }) => name);
  expect(passed).toEqual(
    expect.arrayContaining([
      'createVoucher: the credential in Authorization beside an unknown one in X-API-Key is let in',
      'createVoucher: the credential in X-API-Key beside an unknown one in Authorization is let in',
    ]),
  );
});
