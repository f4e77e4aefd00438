import type { Schemas } from '../api/schemas.ts';

export type Layout = Schemas['PrintRequest']['layout'];
export type Paper = NonNullable<Schemas['PrintRequest']['paper']>;
export type SlipPaper = NonNullable<Schemas['SlipPaper']>;

/** What each layout is printed on; the usual paper first. */
export const papers = {
  sheet: ['a4', 'letter'],
  labels: ['avery-l7160', 'avery-l7163', 'avery-3652', 'avery-c32015', 'avery-5160', 'avery-5163'],
  slip: ['a4', 'letter', 'a6', 'a7', 'card'],
  receipt: ['80mm', '62mm', '58mm'],
} as const satisfies Record<Layout, readonly Paper[]>;
export const layouts = ['sheet', 'labels', 'slip', 'receipt'] as const satisfies readonly Layout[];

/** Columns and rows of the sheets of labels. */
export const labelGrids: Readonly<Record<(typeof papers)['labels'][number], readonly [number, number]>> = {
  'avery-l7160': [3, 7],
  'avery-l7163': [2, 7],
  'avery-3652': [3, 7],
  'avery-c32015': [2, 4],
  'avery-5160': [3, 10],
  'avery-5163': [2, 5],
};

export const labelGridOf = (paper: Paper): readonly [number, number] =>
  paper in labelGrids ? labelGrids[paper as keyof typeof labelGrids] : [1, 1];

interface PaperChoice {
  readonly layout: Layout;
  readonly paper: Paper;
}

/** What a site may choose, and what it means. */
export const slipPapers: Readonly<Record<SlipPaper, PaperChoice>> = {
  'a4-sheet': { layout: 'sheet', paper: 'a4' },
  'letter-sheet': { layout: 'sheet', paper: 'letter' },
  a4: { layout: 'slip', paper: 'a4' },
  letter: { layout: 'slip', paper: 'letter' },
  a6: { layout: 'slip', paper: 'a6' },
  a7: { layout: 'slip', paper: 'a7' },
  card: { layout: 'slip', paper: 'card' },
  '80mm': { layout: 'receipt', paper: '80mm' },
  '62mm': { layout: 'receipt', paper: '62mm' },
  '58mm': { layout: 'receipt', paper: '58mm' },
  'avery-l7160': { layout: 'labels', paper: 'avery-l7160' },
  'avery-l7163': { layout: 'labels', paper: 'avery-l7163' },
  'avery-3652': { layout: 'labels', paper: 'avery-3652' },
  'avery-c32015': { layout: 'labels', paper: 'avery-c32015' },
  'avery-5160': { layout: 'labels', paper: 'avery-5160' },
  'avery-5163': { layout: 'labels', paper: 'avery-5163' },
};

/** For one voucher: a sheet to cut would waste the rest of it. */
export const paperForOne = (paper: SlipPaper | null | undefined): PaperChoice => {
  const chosen = paper == null ? undefined : slipPapers[paper];
  if (!chosen) return { layout: 'slip', paper: 'a4' };
  return chosen.layout === 'sheet' ? { layout: 'slip', paper: chosen.paper } : chosen;
};
