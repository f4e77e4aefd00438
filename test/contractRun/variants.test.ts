import { beforeAll, expect, test } from '@jest/globals';
import type { CoverageCell } from '../../tools/contract/src/coverage/coverage.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { parcelTokens, startParcels, writeParcelsContract, type ParcelDefects } from './parcels.js';
import { failuresOf } from './stageRun.js';
import { runInProcess } from './thirdPartyRun.js';

let contract: string;
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  contract = writeParcelsContract(folder.path);
});

const run = async (stages: readonly string[], defects: ParcelDefects = {}) => {
  const { url, close } = await startParcels(contract, defects);
  try {
    const keys = { keyEnv: ['PARCELS'], readKeyEnv: 'READER' };
    const result = await runInProcess(folder.path, parcelTokens, { stages, contract, url, ...keys });
    const [ran] = result?.contracts ?? [];
    const cells: readonly CoverageCell[] = ran?.coverage.cells ?? [];
    return { failures: ran ? failuresOf(ran) : {}, cells };
  } finally {
    await close();
  }
};

test('a service whose bodies have variants passes, and every status and field of each variant is tried', async () => {
  const { failures, cells } = await run([]);
  expect(failures).toEqual({});
  expect(cells.filter(({ state, name }) => state !== 'tested' && !/^20\d /.test(name))).toEqual([]);
  expect(cells.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['body kind', 'body registered', 'body grams', 'body layers']),
  );
});

test('a service refuses a number that it can not hold, also without a maximum', async () => {
  const { url, close } = await startParcels(contract, { takesAnyLayers: true });
  const answers = await Promise.all(
    ['7', '1e400', '-1e400'].map((layers) =>
      fetch(`${url}/parcels`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${parcelTokens.PARCELS}` },
        body: `{"kind":"pallet","recipient":"Cy","layers":${layers}}`,
      }),
    ),
  );
  await close();
  expect(answers.map(({ status }) => status)).toEqual([201, 400, 400]);
});

const planted: readonly [stage: string, defects: ParcelDefects, found: Readonly<Record<string, RegExp>>][] = [
  [
    'conformance',
    // It does not filter by the field of a discriminator, and lets those write who may only read.
    { ignoresKind: true, letsReadersWrite: true },
    {
      'listParcels: the filter kind=letter finds what has this value': /^it finds \d+, whose kind is "box"/,
      'createParcel 403 with a key of the scope read': /^the status is 201 instead of 403/,
    },
  ],
  [
    'sequences',
    // It stores another value in a variant that the example does not have.
    { losesLayers: true },
    {
      '/parcels: what is created is found as such until it is removed':
        /shows layers as 1 after createParcel with \d+/,
    },
  ],
  [
    'generated',
    // It takes what a variant excludes that the example does not have.
    { takesAnyLayers: true },
    {
      'createParcel body layers: 91 values are read as the contract says': /^the status is 201 instead of/,
    },
  ],
];

test('each defect of a service with variants is found', async () => {
  for (const [stage, defects, found] of planted) {
    const { failures } = await run([stage], defects);
    expect(failures).toMatchObject(
      Object.fromEntries(Object.entries(found).map(([name, says]) => [name, expect.stringMatching(says)])),
    );
  }
});
