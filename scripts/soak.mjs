// `npm run soak -- <name> [arguments]`: a trial that takes too long for `npm test`, or prints figures that depend on
// the machine. Without a name it lists them all.
import './tasks/nodeVersion.mjs';
import { setUp } from './dev/setUp.mjs';
import { runShown, script, StepFailed } from './tasks/run.mjs';

/** Each is a program of test/soak, or tests that do more than in `npm test` when variables are set. */
const trials = {
  faults: {
    about:
      'orders while a console fails, for every kind of fault: the answers, their times, what is recorded',
    program: 'faults',
  },
  cluster: {
    about:
      'four processes on one PostgreSQL under load, while processes are killed and connections fall silent',
    program: 'cluster',
  },
  'sign-ins': {
    about: 'guesses at the sign-in: how many are checked, and whether times tell which accounts exist',
    program: 'signIns',
  },
  fairness: {
    about: 'how long the requests of others take beside one user who asks for much, on both databases',
    program: 'fairness',
  },
  search: {
    about: 'what each search costs among a million vouchers, on both databases',
    program: 'search',
  },
  retention: {
    about:
      'lists and orders while a million vouchers that ended are removed, against without, on both databases',
    program: 'retention',
  },
  sizing: {
    about:
      'what a row of each table costs on the disk, and what reads cost with many sites, on both databases',
    program: 'sizing',
  },
  copy: {
    about: 'copies 200,000 vouchers from SQLite to PostgreSQL and back, killed once each way, and counts',
    program: 'copy',
  },
  contracts: {
    about: 'FILE…: loads, mocks and lints the contracts of other projects',
    program: 'contracts',
  },
  pages: {
    about: 'is everything in the contract of the pages tried, or has a known reason why not',
    program: 'pages',
  },
  sdk: {
    about: 'FILE…: generates clients of the contracts of other projects, compiles them, and calls the mock',
    program: 'sdk',
  },
  defects: {
    about: '[WORD…]: plants defects in the service, and shows which stage of the contract run finds each',
    program: 'defects',
  },
  install: {
    about: 'installs the package with npm, as a user without rights and with an empty home, and uses it',
    tests: ['interop/tarball'],
    env: { INSTALL: 'npm' },
  },
  rounds: {
    about: 'the tests of faults, kills, races and random requests, in many rounds',
    tests: ['faults', 'fuzz', 'webhooks/killed', 'database', 'vouchers/recordAlikeOrders'],
    env: { KILLS: '50', FAULT_ROUNDS: '10', FUZZ_RUNS: '2000', RACE_ROUNDS: '20', ORDER_ROUNDS: '20' },
  },
  backup: {
    about: 'backups of a service while orders run, each restored and compared',
    tests: ['cli/backup/underLoad'],
    env: { BACKUP_ROUNDS: '30' },
  },
  guide: {
    about: 'docs/design-an-operation.md, followed by the whole of `npm test`',
    tests: ['dev/designAnOperation'],
    env: { GUIDE: 'whole' },
  },
  screenshots: {
    about: 'new pictures of the pages in docs/screenshots',
    tests: ['webUi/everyPage'],
    env: { SCREENSHOTS: 'docs/screenshots' },
  },
  printed: {
    about: 'FOLDER [KIND…]: slips, labels, receipts, e-mails and SMS in every language, as pages to look at',
    program: 'printed',
  },
  'first-load': {
    about: 'the size and the time of the first load of a page',
    tests: ['webUi/firstLoad'],
    env: { SHOW_FIRST_LOAD: 'true' },
  },
  kinds: {
    about: 'how long orders on UniFi take while a controller of another kind hangs, against without',
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
