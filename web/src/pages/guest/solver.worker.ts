import { solveAll, type Puzzle } from './solvePuzzle.ts';

/** Beside the page, which stays usable meanwhile. */
addEventListener('message', ({ data }: MessageEvent<Puzzle>) => postMessage(solveAll(data)));
