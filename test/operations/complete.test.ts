import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { documentedResponses, readContract } from '../support/contract.js';

const folder = 'test/operations';

test('every documented status of every operation has a test file, and every test file a documented status', () => {
  const documented = documentedResponses(readContract()).map(
    ({ operationId, status }) => `${operationId}/${status}.test.ts`,
  );
  const written = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`));
  expect(written.sort()).toEqual(documented.sort());
});
