import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { root } from '../tasks/run.mjs';
import { say, showFindings } from './show.mjs';

const findingOf = ({ ruleId, severity, message, location: [place] }) => ({
  file: place?.source?.ref ?? 'openapi.yaml',
  line: place?.start?.line ?? 1,
  column: place?.start?.col ?? 1,
  what: `${severity}: ${message} (${ruleId})`,
});

/** Redocly's rules, in a process of its own that holds up nothing: its findings are shown when they come. */
export const makeLint = () => {
  let running;
  let clean = true;

  const stop = () => {
    running?.kill('SIGTERM');
    running = undefined;
  };
  const start = async () => {
    stop();
    const linter = spawn(process.execPath, [`${root}scripts/lintContract.mjs`, '--format=json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    running = linter;
    const output = await text(linter.stdout);
    // A later save has its own findings.
    if (running !== linter) return;
    running = undefined;
    let problems;
    try {
      ({ problems } = JSON.parse(output));
    } catch {
      say('Redocly did not look at the contract: npm run lint says why.');
      return;
    }
    showFindings(problems.map(findingOf), 10, 'npm run lint');
    if (problems.length === 0 && !clean) say('Redocly finds nothing more.');
    clean = problems.length === 0;
  };
  return { start, stop };
};
