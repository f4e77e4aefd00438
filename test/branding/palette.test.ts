import { expect, test } from '@jest/globals';
import { contrastOf, grounds, toPalette } from '../../src/branding/palette.js';

test('the contrast is that of WCAG 2.1', () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
  expect(contrastOf('#0000ff', '#ffffff')).toBeCloseTo(8.592, 3);
});

test('a colour that can be read everywhere on light ground is used as it is', () => {
  expect(toPalette('#7a1f3d').light).toMatchObject({ filled: '#7a1f3d', text: '#7a1f3d' });
});

/** Corners and centres of the whole space, and what people choose. */
const colours = [
  ...['00', '40', '80', 'c0', 'ff'].flatMap((red) =>
    ['00', '40', '80', 'c0', 'ff'].flatMap((green) =>
      ['00', '40', '80', 'c0', 'ff'].map((blue) => `#${red}${green}${blue}`),
    ),
  ),
  ...['#7a1f3d', '#0b6e6e', '#2f9e44', '#777777', '#f4f6fa', '#1a2130'],
];

test('text has a contrast of 4.5 in every use of every colour, and buttons stand out in the dark', () => {
  const tooLow: string[] = [];
  const demand = (name: string, one: string, other: string, least: number): void => {
    const contrast = contrastOf(one, other);
    if (contrast < least) tooLow.push(`${name}: ${one} on ${other} has ${contrast.toFixed(2)}`);
  };
  for (const colour of colours) {
    const palette = toPalette(colour);
    for (const scheme of ['light', 'dark'] as const) {
      const { filled, filledHover, text, soft, softHover, softText } = palette[scheme];
      const { card, page } = grounds[scheme];
      const name = `${colour} ${scheme}`;
      for (const ground of [filled, filledHover]) demand(name, '#ffffff', ground, 4.5);
      for (const ground of [card, page]) demand(name, text, ground, 4.5);
      for (const ground of [card, page, soft, softHover]) demand(name, softText, ground, 4.5);
      demand(name, filled, card, 3);
    }
  }
  expect(tooLow).toEqual([]);
});
