// `npm run soak -- <name> [arguments]`: a trial that takes too long for `npm test`, or prints figures that depend on
// the machine. Without a name it lists them all.
import './tasks/nodeVersion.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setUp } from './tasks/setUp.mjs';
import { root, runShown, script, StepFailed } from './tasks/run.mjs';

/** The programs of test/soak: each is named as its file, and its first line says what it is about. */
const programs = readdirSync(`${root}test/soak`, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name: file }) => {
    const program = basename(file, '.ts');
    const [first = ''] = readFileSync(`${root}test/soak/${file}`, 'utf8').split('\n');
    const name = program.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return [name, { about: first.slice('// '.length), program }];
  });

/** Tests that do more than in `npm test` when variables are set. */
const trials = {
  ...Object.fromEntries(programs),
  install: {
    about: 'Installs the package with npm, as a user without rights and with an empty home, and uses it.',
    tests: ['interop/tarball'],
    env: { INSTALL: 'npm' },
  },
  rounds: {
    about: 'The tests of faults, kills, races and random requests, in many rounds.',
    tests: ['faults', 'fuzz', 'webhooks/killed', 'database', 'vouchers/recordAlikeOrders'],
    env: { KILLS: '50', FAULT_ROUNDS: '10', FUZZ_RUNS: '2000', RACE_ROUNDS: '20', ORDER_ROUNDS: '20' },
  },
  backup: {
    about: 'Backups of a service while orders run, each restored and compared.',
    tests: ['cli/backup/underLoad'],
    env: { BACKUP_ROUNDS: '30' },
  },
  guide: {
    about: 'docs/design-an-operation.md, followed by the whole of `npm test`.',
    tests: ['dev/designAnOperation'],
    env: { GUIDE: 'whole' },
  },
  screenshots: {
    about: 'New pictures of the pages in docs/screenshots.',
    tests: ['webUi/everyPage'],
    env: { SCREENSHOTS: 'docs/screenshots' },
  },
  'first-load': {
    about: 'The size and the time of the first load of a page.',
    tests: ['webUi/firstLoad'],
    env: { SHOW_FIRST_LOAD: 'true' },
  },
  kinds: {
    about: 'How long orders on UniFi take while a controller of another kind hangs, against without.',
    tests: ['vouchers/fourKinds'],
    env: { KIND_ROUNDS: '8' },
  },
};

const list = Object.entries(trials)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n');

const [name, ...args] = process.argv.slice(2);

await script(async () => {
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(`npm run soak -- <name> [arguments]\n\n${list}`);
    return 0;
  }
  if (!Object.hasOwn(trials, name)) throw new StepFailed(`there is no trial "${name}", but:\n${list}`);
  const { program, tests = [], env } = trials[name];
  if (program === undefined) {
    const patterns = tests.map((file) => `test/${file}`);
    return runShown(process.execPath, ['scripts/check.mjs', ...patterns, ...args], env);
  }
  await setUp.build();
  return runShown(process.execPath, [`dist/test/soak/${program}.js`, ...args]);
});
