import type { HttpAnswer } from '../../../tools/contract/src/request.js';

/** What a spreadsheet may take for a formula, at the beginning of a cell and behind what may separate cells. */
const signs = ['=', '+', '-', '@'];
export const formulas: readonly string[] = signs.flatMap((sign) => [
  `${sign}SUM(1)`,
  ...[';', ',', '\n'].map((separator) => `Zimmer 12${separator}${sign}SUM(1)`),
]);

/** A line by RFC 4180 in which every cell is quoted. */
const line = /"(?:[^"]|"")*"(?:[;,]"(?:[^"]|"")*")*\r\n/y;
const cell = /"((?:[^"]|"")*)"/g;
const formula = /(?:^|[;,\t\r\n])[=+\-@]\S/;

/** What is wrong with a table that people download. */
export const fileFaults = ({ text }: Pick<HttpAnswer, 'text'>): string[] => {
  if (!text.startsWith('\ufeff')) return ['the file has no byte order mark'];
  const lines: string[] = [];
  line.lastIndex = 1;
  for (let found = line.exec(text); found; found = line.exec(text)) lines.push(found[0]);
  const length = lines.reduce((sum, one) => sum + one.length, 1);
  if (length !== text.length) return [`line ${lines.length + 1} of the file is none of quoted cells`];
  const cells = lines.flatMap((one) => [...one.matchAll(cell)].map(([, inside = '']) => inside));
  const bad = cells.find((inside) => formula.test(inside));
  return bad === undefined ? [] : [`a cell begins a formula: ${JSON.stringify(bad)}`];
};
