import { adapters } from './adapters.js';
import { trials } from './trials.js';
import { tryOut, type Outcome } from './tryOut.js';

/** Most of a trial is waiting for deadlines, so many run side by side. */
const sideBySide = 8;

/** Every adapter in every trial, in the order of the table. */
export const tryAll = async (): Promise<Outcome[]> => {
  const cells = trials.flatMap((trial) => adapters.map((adapter) => ({ adapter, trial })));
  const outcomes: Outcome[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < cells.length; index = next++) {
      const cell = cells[index];
      if (cell) outcomes[index] = await tryOut(cell.adapter, cell.trial);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  return outcomes;
};
