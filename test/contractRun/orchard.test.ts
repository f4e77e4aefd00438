import { expect, test } from '@jest/globals';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import {
  orchardFile,
  orchardToken,
  startOrchard,
  type OrchardDefect,
  type OrchardHabit,
} from './orchardService.js';
import { casesOf } from './stageRun.js';
import { runOnService, type ThirdPartyRun } from './thirdPartyRun.js';

const folder = forAllTests(makeFolder, 'remove');

const everyStage = ['conformance', 'generated', 'security', 'sequences'];

const run = async (
  planted: readonly (OrchardDefect | OrchardHabit)[] = [],
  stages = everyStage,
  allowWrites = true,
): Promise<ThirdPartyRun> =>
  runOnService(await startOrchard(...planted), orchardToken, {
    ...{ folder: folder.path, stages, contract: orchardFile, allowWrites },
  });

test('a service that has nothing yet is tested with what the run creates in it', async () => {
  const { failures, isGood, result, requests, printed } = await run();
  expect(failures).toEqual({});
  expect(isGood).toBe(true);
  const skipped = result.contracts
    .flatMap((contract) => contract.stages.flatMap(({ cases }) => cases))
    .filter(({ outcome }) => outcome === 'skipped')
    .map(({ name }) => name);
  // Formats are not the matter of a 400, the 422 has no cause, and one ETag among others need not count.
  expect(skipped).toEqual([
    'plantTree 422',
    'getTree 304 with that ETag among others, as a weak one',
    'getTree 400',
    'fellTree 400',
    'getHealth: access',
  ]);
  const estimated = Number(/at most (\d+) requests will be sent/.exec(printed)?.[1]);
  expect(requests.length).toBeLessThanOrEqual(estimated);
});

test('without --allow-writes nothing is created in it', async () => {
  const { failures, printed } = await run([], everyStage, false);
  expect(failures).toEqual({});
  expect(printed).toContain(', 0 of which may have changed something there.');
});

test('a documented 415 may be meant for compressed bodies alone', async () => {
  const { failures } = await run(['bodies of all types are read'], ['conformance']);
  expect(failures).toEqual({});
});

/** Those that are seen by requests of their own. */
const together: Readonly<Partial<Record<OrchardDefect, string>>> = {
  'a body may have any dates': 'plantTree body planted',
  'a name may have 41 characters': 'plantTree body name',
  'a list of weaves counts as its first': 'listBaskets: the filter weave finds what has one of',
  'baskets of others are listed': 'listBaskets: the filter ownerId=7 finds what has this value',
  'descending trees ascend': 'listTrees: sort=-planted sorts',
  'every body is read': 'plantTree 415 with Content-Type: application/x-unknown',
  'tags may be there twice': 'plantTree 400 with a wrong body tags',
  'the filter of kinds does nothing': 'listTrees: the filter kind=',
  'the list begins one tree too early': 'listTrees: offset=1 leaves out the first item',
  'trees are removed without a key': 'fellTree 401 without a key',
};

/** Which of these cases failed, also for the cause of another one. */
const seenIn = ({ result }: ThirdPartyRun, cases: readonly string[]) => {
  const failed = result.contracts.flatMap(casesOf).filter(({ outcome }) => outcome === 'failed');
  return cases.map((start) => [start, failed.some(({ name }) => name.startsWith(start))]);
};

test('each defect of a service with many is found', async () => {
  const ran = await run(Object.keys(together) as OrchardDefect[]);
  const cases = Object.values(together);
  expect(seenIn(ran, cases)).toEqual(cases.map((name) => [name, true]));
});

test('each defect of changes and lists is found', async () => {
  const listed: Readonly<Partial<Record<OrchardDefect, string>>> = {
    'a change of an old version counts':
      'changeTree 412 with an ETag in If-Match that is not the current one',
    'a harvest may weigh nothing': 'recordHarvests body [].kg',
    'ascending harvests descend': 'listHarvests: sortBy=kg:asc sorts',
    'the page of harvests has all of them': 'listHarvests: pageSize=1 limits the list',
    'tags are lost': 'plantTree: what was created is listed as it was created',
    'baskets of the owner are left out': 'listBaskets: the filter ownerId=7 finds what has this value',
    'the list has one tree more': 'listTrees: limit=1 limits the list',
  };
  const ran = await run(Object.keys(listed) as OrchardDefect[], ['conformance', 'generated']);
  const cases = Object.values(listed);
  expect(seenIn(ran, cases)).toEqual(cases.map((name) => [name, true]));
});

// A run each: a sequence stops at the first thing that is wrong.
test('a service that does not do what it answers is found', async () => {
  for (const defect of [
    'a change loses the note',
    'null changes nothing',
    'removing removes nothing',
  ] as const) {
    const { failures } = await run([defect], ['sequences']);
    expect({ defect, failed: Object.keys(failures) }).toEqual({
      defect,
      failed: ['/trees: what is created is found as such until it is removed'],
    });
  }
});
