import { Worker } from 'node:worker_threads';
import { lintFinding, say, showFindings } from './show.mjs';
import { savedContent, savedContract } from './watch.mjs';

const contract = 'openapi.yaml';

export const makeLintThread = () => new Worker(new URL('./lintThread.mjs', import.meta.url));

/** How long until the next look whether a file that differs is again what was linted. */
const nextLookMs = 200;

/** The rules of redocly.yaml, in a thread that holds up nothing: its findings are shown when they come. */
export const makeLint = (thread = makeLintThread()) => {
  let isBusy = false;
  /** The text that is linted, or was linted last, and what all files held. */
  let linted;
  let lintedContract;
  let timer;
  /** What to do with the findings that come: a later save makes them old. */
  let afterwards = 'show';
  let clean = true;

  const start = () => {
    clearTimeout(timer);
    afterwards = isBusy ? 'start' : 'show';
    if (isBusy) return;
    // In the middle of a save the next one follows.
    linted = savedContent(contract);
    lintedContract = savedContract(contract);
    if (linted === undefined) return;
    isBusy = true;
    thread.postMessage(linted);
  };

  const show = (findings) => {
    showFindings(
      findings.map((finding) => {
        const shown = lintFinding(contract, finding);
        return shown.file === contract ? { ...shown, source: linted } : shown;
      }),
      10,
      'npm run lint',
    );
    if (findings.length === 0 && !clean) say('lint finds nothing more.');
    clean = findings.length === 0;
  };

  /** Findings point to lines of the text that was linted. A file that was saved since then has others. */
  const showWhenCurrent = ({ findings, failure }) => {
    if (savedContract(contract) !== lintedContract) {
      // The save starts lint again, or drops this, unless it is undone before anybody has looked.
      timer = setTimeout(showWhenCurrent, nextLookMs, { findings, failure });
    } else if (failure === undefined) show(findings);
    else say(`the contract could not be linted: ${failure}`);
  };

  thread.on('message', (found) => {
    isBusy = false;
    if (afterwards === 'start') start();
    else if (afterwards === 'show') showWhenCurrent(found);
  });
  return {
    start,
    /** For a contract that was saved, and perhaps refused: what is found in the one before no longer matters. */
    drop: () => {
      clearTimeout(timer);
      afterwards = 'drop';
    },
    stop: () => {
      clearTimeout(timer);
      return thread.terminate();
    },
  };
};
