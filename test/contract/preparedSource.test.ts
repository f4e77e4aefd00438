import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { contractFile, loadServiceContract } from '../../src/config/packagedContracts.js';
import { parseContract } from '../../src/contract/contract.js';
import { loadPreparedSource, prepareSource } from '../../src/contract/preparedSource.js';
import { readSource } from '../../src/contract/source.js';

const written = readFileSync(contractFile, 'utf8');

test('what the build has prepared is what the contract says, with the same places', () => {
  const prepared = loadPreparedSource(written, 'openapi.yaml')!;
  const read = readSource(written, 'openapi.yaml');
  expect(prepared.document).toEqual(read.document);
  expect(prepared.serverUrl()).toEqual(read.serverUrl());
  const place = ['paths', '/sites.php', 'get', 'responses', '200'];
  expect(prepared.at(place)).toEqual(read.at(place));
});

test('a contract that was changed after the build is read anew', () => {
  expect(loadPreparedSource(`${written}\n`, 'openapi.yaml')).toBeUndefined();
});

test('a contract with a value that JSON does not have is not prepared', () => {
  expect(prepareSource(written)).toContain('"openapi":"3.0.3"');
  expect(prepareSource(`${written}\nx-limit: .inf\n`)).toBeUndefined();
});

test('a contract that the build has prepared is served as one that is read', () => {
  const [prepared, read] = [loadServiceContract(), parseContract(written)];
  expect([prepared.isPrepared, read.isPrepared]).toEqual([true, false]);
  expect(prepared.resolved).toEqual(read.resolved);
  expect([...prepared.operations.keys()]).toEqual([...read.operations.keys()]);
});
