// `npm test`: every check there is, in order; the first that fails ends the run.
// `npm test -- <arguments of jest>`: a quick run of some tests, on a current build.
// `npm test -- --no-browser` skips the tests of the pages; `--install-browser` lets it install one, as CI may.
// `npm test -- --coverage` also measures which lines the tests reach, as CI does.
import './tasks/nodeVersion.mjs';
import { ensureBrowser } from './tasks/browser.mjs';
import { build } from './tasks/build.mjs';
import { install } from './tasks/install.mjs';
import { runShown, script, seconds, StepFailed, tool } from './tasks/run.mjs';

const [noBrowser, installBrowser, coverage] = ['--no-browser', '--install-browser', '--coverage'];
const given = process.argv.slice(2);
const jestArguments = given.filter((argument) => ![noBrowser, installBrowser, coverage].includes(argument));
if (given.includes(noBrowser)) process.env.NO_BROWSER = 'true';
const mayInstall = given.includes(installBrowser) || process.env.CI === 'true';
const quick = jestArguments.length > 0;

/** A step that runs a program; the remedy is what to do when it fails. */
const program =
  ([command, args], remedy, env) =>
  async () => {
    const status = await runShown(command, args, env);
    if (status !== 0) throw new StepFailed(remedy ?? `status ${status}, see above`);
  };

const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [
  'node_modules/jest/bin/jest.js',
  ...jestArguments,
  ...(given.includes(coverage) ? [coverage] : []),
];

const prepare = { 'set-up': () => install({ tools: true }) };
const browser = { browser: () => ensureBrowser({ mayInstall }) };
const checks = {
  contract: program([process.execPath, ['scripts/lintContract.mjs']]),
  'generated types': program([process.execPath, ['scripts/generate.mjs', '--check']]),
  format: program(tool('oxfmt/bin/oxfmt', '--check'), 'npm run format'),
  lint: program(tool('oxlint/bin/oxlint')),
  types: program(tool('typescript-native/bin/tsc', '--noEmit')),
  'types of the pages': program(tool('typescript-native/bin/tsc', '--noEmit', '-p', 'web')),
};
const tests = {
  // Some tests start the built program.
  build: () => build(),
  tests: program([process.execPath, [...node, ...jest]], undefined, { NODE_ENV: 'test' }),
};

const run = async (name, step) => {
  const started = Date.now();
  console.log(`── ${name}`);
  try {
    await step();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    throw new StepFailed(`✗ ${name} failed after ${seconds(started)}: ${error.message}`);
  }
  console.log(`✓ ${name}: ${seconds(started)}`);
};

const inOrder = async (steps) => {
  for (const [name, step] of Object.entries(steps)) await run(name, step);
};

/** All of them to their end, so that one run tells everything; then the first that failed counts. */
const sideBySide = async (steps) => {
  const ended = await Promise.allSettled(Object.entries(steps).map(([name, step]) => run(name, step)));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
};

await script(async () => {
  const started = Date.now();
  await inOrder(prepare);
  if (!quick) {
    await inOrder(browser);
    await sideBySide(checks);
  }
  await inOrder(tests);
  console.log(`✓ all in ${seconds(started)}`);
});
