import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { tryContractModel } from '../../tools/contract/src/contract.js';
import { lint } from '../../tools/contract/src/lint/lint.js';
import type { ContractResult } from '../../tools/contract/src/run/results.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import { contractFile } from '../support/contract.js';
import { plantedDefects, type PlantedDefect } from './plantedDefects.js';
import { casesOf, optionsOf, runStageAlone } from './stageRun.js';

const original = readFileSync(contractFile, 'utf8');

const runPlanted = (stage: Stage, defects: readonly PlantedDefect[]): Promise<ContractResult> => {
  const source = defects.reduce((text, { plant }) => plant(text), original);
  return runStageAlone(stage, { contract: tryContractModel(source), options: optionsOf() });
};

let linted: Promise<ContractResult> | undefined;
/** All slips that Redocly must find are in one contract: it takes a second to start. */
const lintAllPlanted = (): Promise<ContractResult> =>
  (linted ??= runPlanted(
    lint,
    plantedDefects.filter((defect) => defect.stage(original) === lint),
  ));

test.each(plantedDefects)('$name is found', async (defect) => {
  const stage = defect.stage(original);
  const result = stage === lint ? await lintAllPlanted() : await runPlanted(stage, [defect]);
  const found = casesOf(result).filter(
    ({ name, outcome, problem }) =>
      outcome === 'failed' && defect.says.test(`${name}\n${problem?.what ?? ''}`),
  );
  expect(found).not.toEqual([]);
  const { shows } = defect;
  if (shows) expect(found.map(({ problem }) => problem?.line)).toContainEqual(expect.stringMatching(shows));
});
