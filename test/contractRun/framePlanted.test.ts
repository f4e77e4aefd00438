import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseContract } from '../../scripts/contract/contract.js';
import { readOptions } from '../../scripts/contract/options.js';
import { plantedDefects } from '../../scripts/contract/planted.js';
import { tryStage } from '../../scripts/contract/run/tryStage.js';
import { contractFile } from '../support/contract.js';

const original = readFileSync(contractFile, 'utf8');

test.each(plantedDefects)('$name is found', async ({ stage, plant, says, shows }) => {
  const contract = parseContract(plant(original));
  const result = await tryStage(stage(original), { contract, options: readOptions([]) });
  const found = result.stages[0]!.cases.filter(
    ({ name, outcome, problem }) => outcome === 'failed' && says.test(`${name}\n${problem?.what ?? ''}`),
  );
  expect(found).not.toEqual([]);
  if (shows) expect(found.map(({ problem }) => problem?.line)).toContainEqual(expect.stringMatching(shows));
});
