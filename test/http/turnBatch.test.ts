import { expect, test } from '@jest/globals';
import { makeTurnBatch } from '../../src/http/turnBatch.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('items of one turn of the event loop are acted on in order, after its other work', async () => {
  const events: string[] = [];
  const add = makeTurnBatch((item: string) => void events.push(`act on ${item}`));
  for (const item of ['a', 'b']) {
    events.push(`begin ${item}`);
    add(item);
  }
  await nextTurn();
  expect(events).toEqual(['begin a', 'begin b', 'act on a', 'act on b']);
});

test('what is added meanwhile is acted on as well', async () => {
  const items: number[] = [];
  const add = makeTurnBatch((item: number) => {
    items.push(item);
    if (item < 3) add(item + 1);
  });
  add(1);
  await nextTurn();
  add(3);
  await nextTurn();
  expect(items).toEqual([1, 2, 3, 3]);
});
