import { expect, test } from '@jest/globals';
import { runScript } from '../../support/built.js';

/** The room that V8 gives to new objects, in MB, during a load that lets it grow. */
const roomUnderLoad = (prepare: string): Promise<string> =>
  runScript(`
    import { setImmediate as nextTurn } from 'node:timers/promises';
    import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
    import { keepHeapSmall } from './dist/src/cli/serve/heap.js';
    ${prepare}
    const roomForNewObjects = () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 1024 / 1024;
    const inFlight = [];
    let largest = 0;
    for (let round = 0; round < 300; round++) {
      for (let index = 0; index < 3000; index++) inFlight.push({ round, index, text: 'x'.repeat(9) + index });
      if (inFlight.length > 30_000) inFlight.splice(0, 3000);
      await nextTurn();
      largest = Math.max(largest, roomForNewObjects());
    }
    console.log(largest);
  `);

test('under load the room for new objects grows once, not as far as V8 would let it', async () => {
  const [limited, unlimited] = await Promise.all([
    roomUnderLoad(`setFlagsFromString('--semi-space-growth-factor=1'); keepHeapSmall();`),
    roomUnderLoad(''),
  ]);
  expect(Number(limited)).toBeGreaterThanOrEqual(4);
  expect(Number(limited)).toBeLessThanOrEqual(Number(unlimited) / 2);
});
