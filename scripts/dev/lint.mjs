import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { root } from '../tasks/run.mjs';
import { lintFinding, say, showFindings } from './show.mjs';

const contract = 'openapi.yaml';

/** The rules of redocly.yaml, in a thread that holds up nothing: its findings are shown when they come. */
export const makeLint = () => {
  const thread = new Worker(new URL('./lintThread.mjs', import.meta.url));
  let isBusy = false;
  /** What to do with the findings that come: a later save makes them old. */
  let afterwards = 'show';
  let clean = true;

  const start = () => {
    afterwards = isBusy ? 'start' : 'show';
    if (isBusy) return;
    isBusy = true;
    thread.postMessage(readFileSync(`${root}${contract}`, 'utf8'));
  };

  const show = (findings) => {
    showFindings(
      findings.map((finding) => lintFinding(contract, finding)),
      10,
      'npm run lint',
    );
    if (findings.length === 0 && !clean) say('lint finds nothing more.');
    clean = findings.length === 0;
  };

  thread.on('message', ({ findings, failure }) => {
    isBusy = false;
    if (afterwards === 'start') start();
    else if (afterwards === 'drop') return;
    else if (failure === undefined) show(findings);
    else say(`the contract could not be linted: ${failure}`);
  });
  return {
    start,
    /** For a contract that was refused: what is found in the one before no longer matters. */
    drop: () => (afterwards = 'drop'),
    stop: () => thread.terminate(),
  };
};
