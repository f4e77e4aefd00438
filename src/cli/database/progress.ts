import type { CopyListener, CopyProgress } from '../../database/copy/copyDatabase.js';
import { counted, type Io } from '../io.js';

const terminalIntervalMs = 1000;
/** A log wants fewer lines. */
const logIntervalMs = 10_000;

/** Prints progress on standard error. */
export const makeCopyProgress = (io: Io, now: () => number = () => performance.now()): CopyListener => {
  const intervalMs = io.input?.isTTY === true ? terminalIntervalMs : logIntervalMs;
  let shownAt = now();
  let begun: { readonly phase: string; readonly at: number; readonly done: number } | undefined;
  return {
    onResume: (rows) => io.err(`continuing: ${counted(rows, 'row')} were copied before\n`),
    onProgress: (progress) => {
      const at = now();
      if (begun?.phase !== progress.phase) begun = { phase: progress.phase, at, done: progress.done };
      if (at - shownAt < intervalMs) return;
      shownAt = at;
      io.err(formatProgress(progress, at - begun.at, progress.done - begun.done));
    },
  };
};

const formatProgress = (
  { phase, table, done, total }: CopyProgress,
  elapsedMs: number,
  rows: number,
): string => {
  const perSecond = elapsedMs > 0 ? (rows * 1000) / elapsedMs : 0;
  const left = perSecond > 0 ? `, ${formatDuration((total - done) / perSecond)} left` : '';
  return `${phase} ${table}: ${String(done)} of ${String(total)} rows, ${String(Math.round(perSecond))} per second${left}\n`;
};

const formatDuration = (seconds: number): string =>
  seconds < 90 ? `${String(Math.max(0, Math.ceil(seconds)))} s` : `${String(Math.ceil(seconds / 60))} min`;
