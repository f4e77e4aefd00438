import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseContractModel } from '../../scripts/contract/contract.js';
import { readRunOptions } from '../../scripts/contract/options.js';
import { contractFile } from '../support/contract.js';
import { plantedDefects } from './plantedDefects.js';
import { runStageAlone } from './stageRun.js';

const original = readFileSync(contractFile, 'utf8');

test.each(plantedDefects)('$name is found', async ({ stage, plant, says, shows }) => {
  const contract = parseContractModel(plant(original));
  const result = await runStageAlone(stage(original), { contract, options: readRunOptions([]) });
  const found = result.stages[0]!.cases.filter(
    ({ name, outcome, problem }) => outcome === 'failed' && says.test(`${name}\n${problem?.what ?? ''}`),
  );
  expect(found).not.toEqual([]);
  if (shows) expect(found.map(({ problem }) => problem?.line)).toContainEqual(expect.stringMatching(shows));
});
