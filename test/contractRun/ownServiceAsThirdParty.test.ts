import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isExcuse } from '../../tools/contract/src/target/keys.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { contractFile } from '../support/contract.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { casesOf, failuresOf } from './stageRun.js';
import { runInProcess } from './thirdPartyRun.js';

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
  const result = await runInProcess(
    folder.path,
    { KEY: key.text() },
    {
      ...{ stages: ['security'], contract: contractFile, url: service.url },
      ...{ keyEnv: ['bearerAuth=KEY', 'apiKeyAuth=KEY'], maxRequests: 500 },
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
