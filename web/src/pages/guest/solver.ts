import { solveOne, type Puzzle } from './solvePuzzle.ts';

/** Solves a puzzle in a worker, or, where a browser has none, in pieces on the page. */
export const solve = async (puzzle: Puzzle): Promise<number[]> =>
  (await solveInWorker(puzzle).catch(() => undefined)) ?? solveInPieces(puzzle);

const solveInWorker = (puzzle: Puzzle): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./solver.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<number[]>) => {
      worker.terminate();
      resolve(data);
    });
    worker.addEventListener('error', () => {
      worker.terminate();
      reject(new Error('the worker can not be used'));
    });
    worker.postMessage(puzzle);
  });

const solveInPieces = async (puzzle: Puzzle): Promise<number[]> => {
  const numbers: number[] = [];
  for (let index = 0; index < puzzle.puzzles; index += 1) {
    numbers.push(solveOne(puzzle, index));
    // Lets the page draw.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return numbers;
};
