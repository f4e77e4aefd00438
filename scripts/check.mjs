// `npm test`: every check there is, in order; the first that fails ends the run.
// `npm test -- <arguments of jest>`: a quick run of some tests, on a current build.
// `npm test -- --no-browser` skips the tests of the pages; `--install-browser` lets it install one, as CI may.
// `npm test -- --coverage` also measures which lines the tests reach, as CI does.
import './tasks/nodeVersion.mjs';
import { ensureBrowser } from './tasks/browser.mjs';
import { build } from './tasks/build.mjs';
import { checks, inOrder, program, sideBySide } from './tasks/checks.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { readProcessorSeconds } from './tasks/processorTime.mjs';
import { script, seconds } from './tasks/run.mjs';

printHelp(`npm test [-- options]
npm test -- <files or arguments of jest>

Without files it runs every check: contracts, lint, format, types, structure and all tests. With files it runs only
their tests, on a current build.
  --no-browser       skip the tests that need a browser
  --install-browser  install a browser if there is none, as CI does
  --coverage         measure which lines the tests reach`);

const [noBrowser, installBrowser, coverage] = ['--no-browser', '--install-browser', '--coverage'];
const given = process.argv.slice(2);
const jestArguments = given.filter((argument) => ![noBrowser, installBrowser, coverage].includes(argument));
if (given.includes(noBrowser)) process.env.NO_BROWSER = 'true';
const mayInstall = given.includes(installBrowser) || process.env.CI === 'true';
const quick = jestArguments.length > 0;

const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [
  'node_modules/jest/bin/jest.js',
  ...jestArguments,
  ...(given.includes(coverage) ? [coverage] : []),
];

const prepare = { 'set-up': () => install({ tools: true }) };
const browser = { browser: () => ensureBrowser({ mayInstall }) };
const tests = {
  // Some tests start the built program.
  build: () => build(),
  tests: program([process.execPath, [...node, ...jest]], undefined, { NODE_ENV: 'test' }),
};

await script(async () => {
  const started = Date.now();
  await inOrder(prepare);
  if (!quick) {
    await inOrder(browser);
    await sideBySide(checks);
  }
  await inOrder(tests);
  const { own, children } = readProcessorSeconds();
  console.log(`✓ all in ${seconds(started)}, with ${(own + children).toFixed(0)} s of processor time`);
});
