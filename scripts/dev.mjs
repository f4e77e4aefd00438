// Development: sources are compiled as they change, types follow openapi.yaml, and the service restarts
// after each. Arguments are handed to `voucherd serve --demo`.
import './tasks/nodeVersion.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { build, forgetBuild } from './tasks/build.mjs';
import { generateTypes, generateWhenStale } from './tasks/contract.mjs';
import { install } from './tasks/install.mjs';
import { root, script, StepFailed, tool } from './tasks/run.mjs';

const compile = tool('typescript/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput');
const serve = [process.execPath, ['scripts/voucherd.mjs', 'serve', '--demo', ...process.argv.slice(2)]];

const say = (text) => console.error(`dev: ${text}`);

let server;
let stopping = false;
let restarts = Promise.resolve();

const stopServer = async () => {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  await gone;
};

/** One restart after the other: two servers must never meet on one port. */
const restart = (reason) => {
  restarts = restarts.then(async () => {
    await stopServer();
    if (stopping) return;
    if (reason) say(`restarting: ${reason}.`);
    const started = spawn(...serve, {
      cwd: root,
      stdio: 'inherit',
      // Replies that the contract does not document are refused.
      env: { NODE_ENV: 'development', ...process.env },
    });
    started.on('exit', (code) => {
      if (code) say(`the service ended with status ${code}; it starts again after the next change.`);
    });
    server = started;
  });
};

const watchContract = () => {
  let timer;
  const follow = async () => {
    try {
      await generateTypes();
      restart('openapi.yaml changed');
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      say(error.message);
    }
  };
  // Editors save by replacing the file, so its folder is watched; several events make one run.
  return watch(root, (_event, file) => {
    if (file !== 'openapi.yaml') return;
    clearTimeout(timer);
    timer = setTimeout(follow, 150);
  });
};

const watchSources = () => {
  const compiler = spawn(...compile, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let rounds = 0;
  compiler.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    // The first round finds the build that is already running.
    if (/Found 0 errors/.test(chunk) && rounds++ > 0) restart('the sources changed');
  });
  return compiler;
};

await script(async () => {
  await install();
  await generateWhenStale();
  await build();
  // From here on the compiler below writes to dist/.
  forgetBuild();
  restart();
  const compiler = watchSources();
  const contract = watchContract();
  const stop = () => {
    stopping = true;
    compiler.kill('SIGTERM');
    contract.close();
    restarts = restarts.then(stopServer);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
});
