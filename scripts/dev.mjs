// `npm run dev`: brings what runs up to date with what is saved. Arguments are handed to `voucherd serve`.
import './tasks/nodeVersion.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { makeService } from './dev/service.mjs';
import { loadedLine, say, showFinding } from './dev/show.mjs';
import { listContractFiles, watchSources } from './dev/watchSources.mjs';
import { buildWeb } from './tasks/buildWeb.mjs';
import { printHelp } from './tasks/help.mjs';
import { sourceBundle } from './tasks/importSource.mjs';
import { install } from './tasks/install.mjs';
import { cache, hashOf, readIfThere, root, script } from './tasks/run.mjs';

printHelp(`npm run dev [-- options of voucherd serve]

Runs the service for development: it loads openapi.yaml when it is saved, restarts when sources change, builds the web
UI when its files change, and mocks operations without a handler. npx voucherd serve --help lists the options.`);

const contract = 'openapi.yaml';
const texts = 'src/i18n/texts';
/** Not in dist/, which a build replaces. */
const program = `${cache}dev.mjs`;
const entry = `import { main } from './src/main.ts'; process.exitCode = await main(process.argv.slice(2));`;

const makeBundle = async () => {
  // Loaded only now: it may have just been installed.
  const { context } = await import('esbuild');
  const stdin = { contents: entry, resolveDir: root };
  return context({
    ...sourceBundle,
    stdin,
    outfile: program,
    sourcemap: true,
    write: false,
    logLevel: 'silent',
  });
};

const readContract = () => JSON.stringify(listContractFiles(contract).map(readIfThere));

/** What a start reads beside its program. */
const readAtStart = () => ['web.yaml', ...readdirSync(`${root}${texts}`).map((name) => `${texts}/${name}`)];

const showRefused = ({ refused, position }) =>
  position ? showFinding({ ...position, what: refused }) : say(refused);

/** Checks that run beside the service, each from its beginning when something is saved meanwhile. */
const makeChecks = () => {
  const running = new Map();
  const end = (name) => {
    // The compiler is a process below the one that is started here, and finishes its work after any other signal.
    if (running.has(name)) process.kill(-running.get(name).pid, 'SIGKILL');
    running.delete(name);
  };
  const start = (name, ...args) => {
    end(name);
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true });
    running.set(name, child);
    child.on('exit', (status) => {
      if (running.get(name) !== child) return;
      running.delete(name);
      if (status === 0) say(`${name}: nothing found.`);
    });
  };
  return { end, start, endAll: () => [...running.keys()].forEach(end) };
};

await script(async () => {
  await install({ tools: true });
  const bundle = await makeBundle();
  const service = makeService(program, process.argv.slice(2));
  const checks = makeChecks();
  let stopping = false;
  /** The steps that may have something to do, because of what was saved. */
  const due = new Set(['contract', 'sources', 'types', 'pages']);
  let lintIsDue = true;
  let isRefused = false;
  /** What was in the contract that was loaded last, and a hash of the program that serves. */
  let [loaded, running] = [readContract(), undefined];

  const loadContract = async () => {
    const saved = readContract();
    if (saved === loaded) return;
    loaded = saved;
    lintIsDue = true;
    checks.end('lint');
    const began = Date.now();
    const answer = await service.reload();
    isRefused = answer?.refused !== undefined;
    if (isRefused) {
      showRefused(answer);
      say('the last contract goes on.');
    } else if (answer) say(`${contract} loaded in ${Date.now() - began} ms: ${loadedLine(answer.reloaded)}`);
    else due.add('sources');
  };

  const startProgram = async () => {
    const { outputFiles = [], errors } = await bundle.rebuild().catch((error) => error);
    for (const { text, location } of errors)
      showFinding({ ...location, column: (location?.column ?? 0) + 1, what: text });
    if (errors.length > 0 && service.isRunning()) say('the last build goes on.');
    // What is saved meanwhile comes next.
    if (errors.length > 0 || due.has('sources')) return;
    const { hash } = outputFiles.find(({ path }) => path.endsWith('.mjs'));
    const wanted = `${hash} ${hashOf(readAtStart())}`;
    const isNext = service.isRunning();
    if (isNext && wanted === running) return;
    mkdirSync(cache, { recursive: true });
    for (const { path, contents } of outputFiles) writeFileSync(path, contents);
    if (isNext) say('the sources changed: starting the new build.');
    const { mocked, ...answer } = await service.start();
    isRefused = answer.refused !== undefined;
    if (isRefused) showRefused(answer);
    if (mocked) {
      running = wanted;
      if (isNext) say('the new build serves.');
      if (mocked.length > 0) say(`without a handler, so mocked: ${mocked.join(', ')}`);
    } else if (isNext) say('the new build did not start; the last one goes on.');
    else say('it starts again after the next change.');
  };

  const startChecks = async () => {
    if (isRefused) return;
    if (lintIsDue) checks.start('lint', 'scripts/lintContract.mjs', '--changes', contract);
    lintIsDue = false;
    checks.start('types', 'scripts/dev/types.mjs');
  };

  const buildPages = async () => {
    try {
      if (await buildWeb()) say('the pages are built: reload the browser.');
    } catch (error) {
      say(`${error.message}\nthe last pages go on.`);
    }
  };

  /** In the order in which they are done; each finds out by itself whether anything changed. */
  const steps = { contract: loadContract, sources: startProgram, types: startChecks, pages: buildPages };

  const update = async () => {
    for (;;) {
      const next = Object.keys(steps).find((name) => due.has(name));
      if (stopping || next === undefined) return;
      due.delete(next);
      await steps[next]().catch((error) => say(error.message));
    }
  };

  let work = Promise.resolve();
  const unwatch = watchSources(contract, (files) => {
    for (const file of files) {
      const isContract = !/^(?:src|handlers|web)\//.test(file);
      if (isContract) due.add('contract');
      else due.add('pages');
      if (/^(?:src|handlers)\/|^web\.yaml$/.test(file)) due.add('sources');
      if (!file.startsWith('web/')) due.add('types');
    }
    work = work.then(update);
  });
  await buildPages();
  work = work.then(update);
  void work.then(() => say(`${contract}, the sources and the pages are followed.`));
  const stop = () => {
    stopping = true;
    unwatch();
    checks.endAll();
    void work.then(service.stop).then(() => bundle.dispose());
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
});
