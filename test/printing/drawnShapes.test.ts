import { expect, test } from '@jest/globals';
import { drawShapes, rewritePicture, toGreyPicture } from '../../src/lib/picture.js';

const size = { width: 16, height: 4 };

test('shapes are filled with black on white, dot by dot', async () => {
  const { pixels } = await drawShapes('M0 0H8V4H0Z', size);
  const row = [...Array<number>(8).fill(0), ...Array<number>(8).fill(255)];
  expect([...pixels]).toEqual([row, row, row, row].flat());
});

test('a drawing from outside is refused as before', async () => {
  await drawShapes('', size);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0H8V8Z"/></svg>';
  for (const text of [svg, ` \n${svg}`, `<?xml version="1.0"?>${svg}`]) {
    await expect(rewritePicture(Buffer.from(text), size)).rejects.toMatchObject({ code: 'invalid' });
    await expect(toGreyPicture(Buffer.from(text), size)).rejects.toMatchObject({ code: 'invalid' });
  }
});
