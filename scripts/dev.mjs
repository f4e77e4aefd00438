// `npm run dev`: openapi.yaml is loaded into the running service when it is saved, with its types generated again; a change
// of sources starts the next build beside the last one, and the pages are built when theirs change. Arguments are
// handed to `voucherd serve`.
import './tasks/nodeVersion.mjs';
import { loadedLine } from './dev/changes.mjs';
import { hashOfProgram, startCompiler } from './dev/compiler.mjs';
import { makeLint } from './dev/lint.mjs';
import { followPages } from './dev/pages.mjs';
import { makeService } from './dev/service.mjs';
import { say, showFinding, showFindings } from './dev/show.mjs';
import { savedContent, savedContract, watchContract } from './dev/watch.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

printHelp(`npm run dev [-- options of voucherd serve]

Runs the service for development: it loads openapi.yaml when it is saved, restarts when sources change, builds the web
UI when its files change, and mocks operations without a handler. npx voucherd serve --help lists the options.`);

const contract = 'openapi.yaml';

const showRefused = ({ refused, position }) => {
  if (position) showFinding({ ...position, what: refused });
  else say(refused);
};

await script(async () => {
  await install({ tools: true });
  // Loaded only now: it needs the packages.
  const { generateTypes } = await import('./dev/types.mjs');
  const service = makeService(process.argv.slice(2), showRefused);
  const lint = makeLint();
  let stopping = false;
  let running;
  let compiles = true;
  let work = Promise.resolve();
  /** One thing after the other, so that what is served last is what was saved last. */
  const then = (task) => {
    work = work.then(() => (stopping ? undefined : task())).catch((error) => say(error.stack));
    return work;
  };

  /** Then what was read of it means nothing, and the next look follows. */
  const isBeingSaved = () => savedContent(contract) === undefined;

  const makeTypes = () =>
    generateTypes().catch((error) => {
      if (!isBeingSaved()) say(`no types could be made of ${contract}: ${error.message}`);
    });

  const start = async () => {
    const program = hashOfProgram();
    const isNext = service.isRunning();
    const mocked = await service.start();
    if (!mocked) {
      say(
        service.isRunning()
          ? 'the new build did not start; the last one goes on.'
          : 'it starts again after the next change.',
      );
      return;
    }
    running = program;
    if (isNext) say('the new build serves.');
    // A contract that is saved while it starts is loaded next.
    if (mocked.length > 0) say(`without a handler, so mocked: ${mocked.join(', ')}`);
  };

  const followContract = async (began, content) => {
    lint.drop();
    if (content === undefined) {
      say(`${contract} is empty or missing; the last contract goes on.`);
      return;
    }
    if (!service.isRunning()) {
      await start();
      if (!service.isRunning()) return;
    } else {
      const answer = await service.reload();
      if (!answer) return;
      if (answer.refused !== undefined) {
        // Another save would be shown in place of the one that was refused, and is looked at next.
        if (savedContract(contract) !== content) return;
        showRefused(answer);
        say('the last contract goes on.');
        return;
      }
      say(`${contract} loaded in ${Math.round(Date.now() - began)} ms: ${loadedLine(answer.reloaded)}`);
    }
    lint.start();
    await makeTypes();
  };

  const followSources = async (findings) => {
    showFindings(findings, 5, 'npm run typecheck');
    if (findings.length > 0) {
      compiles = false;
      return;
    }
    if (!compiles) say('it compiles.');
    compiles = true;
    if (service.isRunning() && hashOfProgram() === running) return;
    if (service.isRunning()) say('the sources changed: starting the new build.');
    await start();
  };

  await makeTypes();
  const compiler = startCompiler((findings) => then(() => followSources(findings)));
  const findings = await compiler.begin();
  const unwatch = watchContract(contract, (...change) => then(() => followContract(...change)));
  void then(start);
  if (findings.length > 0) void then(() => followSources(findings));
  void then(() => {
    say(`${contract}, the sources and the pages are followed.`);
    if (service.isRunning()) lint.start();
  });
  const stopPages = followPages();
  const stop = () => {
    stopping = true;
    unwatch();
    void lint.stop();
    void compiler.stop();
    void stopPages();
    void work.then(service.stop);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
});
