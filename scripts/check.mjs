// `npm test`, `npm run test:all` and `npm run test:interop`: the service as specified, everything else, and what other
// people's tools say. The first step that fails ends the run.
import './tasks/nodeVersion.mjs';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { groups } from '../test/setup/groups.mjs';
import { ensureBrowser } from './tasks/browser.mjs';
import { build } from './tasks/build.mjs';
import { checks, inOrder, meter, sideBySide } from './tasks/checks.mjs';
import { printHelp } from './tasks/help.mjs';
import { install, installInterop } from './tasks/install.mjs';
import { script, seconds, StepFailed } from './tasks/run.mjs';
import { resultsFolder, runGroup, runJest } from './tasks/testRun.mjs';

const [service, interop] = ['service', 'interop'];
const others = groups.filter((group) => ![service, interop].includes(group));

printHelp(`npm test [-- options]
npm test -- <files or arguments of jest>
npm run test:all [-- <groups> options]
npm run test:interop [-- options]

npm test checks contracts, lint, format and types, and runs the tests of the service as it is specified. With files
it runs only their tests, on a current build. test:all runs all other tests, or those of groups:
${others.join(', ')}. test:interop installs and runs other people's tools.
  --no-browser       skip the tests that need a browser
  --install-browser  install a browser if there is none, as CI does
  --coverage         measure which lines the tests reach, as CI does
  --record-budget    make what the groups take now their budget in test/budget.json`);

const isCI = process.env.CI === 'true';

const options = {
  'no-browser': { type: 'boolean' },
  'install-browser': { type: 'boolean', default: isCI },
  coverage: { type: 'boolean', default: isCI },
  'record-budget': { type: 'boolean' },
};

/** Arguments that are not ours are those of jest. */
const { values, tokens } = parseArgs({ options, strict: false, tokens: true });
const given = process.argv.slice(2);
const ours = new Set(
  tokens
    .filter(({ kind, name }) => kind === 'option' && Object.hasOwn(options, name))
    .map(({ index }) => given[index]),
);
const [command, ...rest] = given.filter((argument) => !ours.has(argument));

if (values['no-browser']) process.env.NO_BROWSER = 'true';

const browser = { browser: () => ensureBrowser({ mayInstall: values['install-browser'] }) };
const built = { build: () => build() };

/** Runs groups one after the other; what they cost too much fails CI, and is only said elsewhere. */
const runGroups = async (names, since) => {
  const withCoverage = values.coverage && !names.includes(interop);
  const complaints = [];
  for (const group of names)
    await inOrder({
      [`tests of ${group}`]: async () =>
        complaints.push(...(await runGroup(group, { withCoverage, record: values['record-budget'], since }))),
    });
  if (withCoverage) {
    const { reportCoverage } = await import('./tasks/coverage.mjs');
    await reportCoverage(resultsFolder, [service, ...others]);
  }
  if (complaints.length === 0) return;
  const text = `The tests cost more than test/budget.json allows:\n${complaints.join('\n')}`;
  if (isCI) throw new StepFailed(text);
  console.error(`Warning: ${text}`);
};

const runService = async () => {
  const since = meter.read();
  rmSync(resultsFolder, { recursive: true, force: true });
  await inOrder(browser);
  await sideBySide(checks);
  await inOrder({ build: () => build() });
  await runGroups([service], since);
};

const runOthers = async () => {
  const unknown = rest.find((name) => !others.includes(name));
  if (unknown !== undefined) throw new StepFailed(`there is no group ${unknown}, but: ${others.join(', ')}`);
  await inOrder({ ...browser, ...built });
  await runGroups(others.filter((group) => rest.length === 0 || rest.includes(group)));
};

const runInterop = async () => {
  await inOrder({ 'set-up of the tools': installInterop, ...built });
  await runGroups([interop]);
};

const runSome = async () => {
  await inOrder(built);
  const status = await runJest(given.filter((argument) => !ours.has(argument)));
  if (status !== 0) throw new StepFailed(`✗ tests failed: status ${status}, see above`);
};

await script(async () => {
  const started = Date.now();
  await inOrder({ 'set-up': () => install({ tools: true }) });
  if (command === undefined) await runService();
  else if (command === 'all') await runOthers();
  else if (command === interop) await runInterop();
  else await runSome();
  console.log(`✓ all in ${seconds(started)}, with ${meter.read().toFixed(0)} s of processor time`);
});
