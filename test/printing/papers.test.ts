import { expect, test } from '@jest/globals';
import { labelSheets, sheetPapers, type LabelSheet } from '../../src/printing/pdf/papers.js';

test.each(Object.entries<LabelSheet>(labelSheets))(
  'labels of %s do not overlap, and leave the same margin on opposite sides of the sheet',
  (_, { sheet, columns, rows, width, height, left, top, pitchX, pitchY }) => {
    const paper = sheetPapers[sheet];
    expect(pitchX).toBeGreaterThanOrEqual(width);
    expect(pitchY).toBeGreaterThanOrEqual(height);
    const right = paper.width - (left + (columns - 1) * pitchX + width);
    const bottom = paper.height - (top + (rows - 1) * pitchY + height);
    expect(Math.abs(right - left)).toBeLessThan(0.05);
    expect(Math.abs(bottom - top)).toBeLessThan(0.05);
  },
);
