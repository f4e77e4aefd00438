import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, type TestFolder } from '../support/folder.js';
import {
  orchardFile,
  orchardToken,
  startOrchard,
  type OrchardDefect,
  type OrchardHabit,
} from './orchardService.js';
import { runOnService, type ThirdPartyRun } from './thirdPartyRun.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const stages = ['conformance', 'generated', 'security', 'sequences'];

const run = async (defect?: OrchardDefect | OrchardHabit, allowWrites = true): Promise<ThirdPartyRun> =>
  runOnService(await startOrchard(defect), orchardToken, {
    folder: folder.path,
    stages,
    contract: orchardFile,
    allowWrites,
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
  const { failures, printed } = await run(undefined, false);
  expect(failures).toEqual({});
  expect(printed).toContain(', 0 of which may have changed something there.');
});

test('a documented 415 may be meant for compressed bodies alone', async () => {
  const { failures } = await run('bodies of all types are read');
  expect(failures).toEqual({});
});

test.each<[OrchardDefect, string]>([
  ['a body may have any dates', 'plantTree body planted'],
  ['a change loses the note', '/trees: what is created is found as such until it is removed'],
  [
    'a change of an old version counts',
    'changeTree 412 with an ETag in If-Match that is not the current one',
  ],
  ['a harvest may weigh nothing', 'recordHarvests body [].kg'],
  ['a name may have 41 characters', 'plantTree body name'],
  ['a list of weaves counts as its first', 'listBaskets: the filter weave finds what has one of'],
  ['ascending harvests descend', 'listHarvests: sortBy=kg:asc sorts'],
  ['baskets of others are listed', 'listBaskets: the filter ownerId=7 finds what has this value'],
  ['baskets of the owner are left out', 'listBaskets: the filter ownerId=7 finds what has this value'],
  ['descending trees ascend', 'listTrees: sort=-planted sorts'],
  ['every body is read', 'plantTree 415 with Content-Type: application/x-unknown'],
  ['null changes nothing', '/trees: what is created is found as such until it is removed'],
  ['removing removes nothing', '/trees: what is created is found as such until it is removed'],
  ['tags are lost', 'plantTree: what was created is listed as it was created'],
  ['tags may be there twice', 'plantTree 400 with a wrong body tags'],
  ['the filter of kinds does nothing', 'listTrees: the filter kind='],
  ['the list begins one tree too early', 'listTrees: offset=1 leaves out the first item'],
  ['the list has one tree more', 'listTrees: limit=1 limits the list'],
  ['the page of harvests has all of them', 'listHarvests: pageSize=1 limits the list'],
  ['trees are removed without a key', 'fellTree 401 without a key'],
])('it is found that %s', async (defect, where) => {
  const { failures } = await run(defect);
  expect(Object.keys(failures)).toContainEqual(expect.stringContaining(where));
});
