import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';
import { send, type Answer } from '../support/service.js';
import { startDevCommand, type DevCommand } from './devCommand.js';
import { applyDiff, blocksOf, curlRequest, shownAnswer, shownLine, undo, type Block } from './guide.js';
import { makeProject, type Project } from './project.js';

/** The second part of the page; `test/framework/guide.test.ts` follows the first. */
const guide = /^# From a line [^]*/m.exec(readFileSync('docs/design-an-operation.md', 'utf8'))?.[0] ?? '';

/** `npm run soak -- guide`: also the guide's `npm test` for everything, with the operation that it adds. */
const whole = process.env['GUIDE'] === 'whole';

const wholeTimeoutMs = 3_600_000;

const needed = [
  'simulators',
  'scripts',
  'tools',
  'test/scenarios',
  'test/setup/native',
  'test/support',
  'test/conformance',
  'test/operations',
];
const everything = readdirSync(root).filter(
  (name) => !['.git', 'node_modules', 'dist', 'data', 'coverage', 'contract-report'].includes(name),
);

let project: Project;
let loop: DevCommand | undefined;
/** How much the terminal showed when a file was changed last. */
let before = 0;
let answer: Answer | undefined;
/** What the contract run printed. */
let contractRun = '';

beforeAll(async () => {
  project = await makeProject(whole ? everything : needed, { ownPackages: whole });
  // Whoever has followed the guide can follow it again.
  for (const block of blocksOf(guide)) await undo(project, block);
});
afterAll(async () => {
  if (loop) expect(await loop.stop()).toBe(0);
  await project.remove();
});

const running = (): DevCommand => {
  if (!loop) throw new Error('npm run dev is not running yet');
  return loop;
};

const change = async (file: string, text: string): Promise<void> => {
  before = loop?.output().length ?? 0;
  await project.write(file, text);
};

/** The tests of the guide, as `npm test -- <arguments>` runs them; they need no PostgreSQL. */
const runTests = async (args: readonly string[]): Promise<void> => {
  await project.write('test/none.ts', 'export default () => undefined;\n');
  const none = ['--globalSetup=<rootDir>/test/none.ts', '--globalTeardown=<rootDir>/test/none.ts'];
  // One worker: each would load all modules.
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '-w', '1', ...none, ...args];
  const { stderr } = await promisify(execFile)(process.execPath, jest, {
    cwd: project.path,
    env: childEnv(),
  });
  expect(stderr).toMatch(/^Test Suites: 7 passed, 7 total$/m);
};

/** As `npm run contract` does it. Throws when a stage fails. */
const runContract = async (): Promise<string> => {
  // The stage that leads the operation to each of its statuses; only all stages together show what is covered.
  const options = whole ? [] : ['conformance', '--contract', 'openapi.yaml'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/supervise.mjs', '--build', 'dist/scripts/contract.js', ...options],
    { cwd: project.path, env: childEnv() },
  ).catch((error: unknown) => {
    const { message, stdout: said } = error as Error & { stdout: string };
    throw new Error(`${message}\n${said}`);
  });
  return stdout;
};

const steps: Record<string, (block: Block) => Promise<void>> = {
  sh: async ({ purpose, text }) => {
    if (purpose === 'request') {
      const { path, headers } = curlRequest(text.trim(), { KEY: running().key });
      answer = await send(running().url, 'GET', path, { headers });
    } else if (text === 'npm run dev\n') loop = await startDevCommand(project);
    else if (text.startsWith('npm test -- ')) await runTests(text.trim().split(' ').slice(3));
    else if (text === 'npm run contract\n') contractRun = await runContract();
    else throw new Error(`nobody knows how to follow: ${text}`);
  },
  http: async ({ text }) => {
    const { status, headers, body } = shownAnswer(text);
    expect(answer).toMatchObject({ status, headers, text: body });
    expect(answer?.headers['x-mock']).toBe(headers['x-mock']);
  },
  console: async ({ purpose, text }) => {
    if (purpose === 'contract') {
      if (whole) expect(contractRun).toContain(`\n${text}`);
      else expect(contractRun).toMatch(/^ok +conformance /m);
      return;
    }
    for (const line of text.trimEnd().split('\n')) await running().shows(shownLine(line), before);
  },
  yaml: async ({ purpose, text }) => {
    const [, file = '', place = ''] = /^(\S+), before (\S+)$/.exec(purpose) ?? [];
    const written = await project.read(file);
    expect(written).toContain(`\n  ${place}:\n`);
    await change(
      file,
      written.replace(`\n  ${place}:\n`, (found) => `\n${text.trimEnd()}\n${found}`),
    );
  },
  ts: ({ purpose, text }) => change(purpose, text),
  diff: async ({ purpose, text }) => change(purpose, applyDiff(await project.read(purpose), text)),
};

test('the guide can be followed word for word, from a line in the contract to a tested endpoint', async () => {
  for (const block of blocksOf(guide)) {
    const step = steps[block.language];
    if (!step) throw new Error(`nobody knows how to follow a block of ${block.language}`);
    await step(block);
  }
  const { url } = running();
  expect((await send(url, 'GET', '/openapi.yaml')).text).toContain('operationId: getSite\n');
  expect((await send(url, 'GET', '/openapi.php')).body).toMatchObject({
    paths: { '/sites/{id}': { get: { operationId: 'getSite' } } },
  });
  expect((await send(url, 'GET', '/docs')).status).toBeLessThan(400);
  expect(await project.read('generated/openapi.ts')).toContain('getSite: {');
});

if (whole)
  test(
    'with the operation of the guide, `npm test` passes as a whole',
    async () => {
      const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: project.path });
      const author = ['-c', 'user.name=Designer', '-c', 'user.email=designer@example.org'];
      await git('init', '--quiet');
      await git('add', '--all');
      await git(...author, 'commit', '--quiet', '--message', 'One site');
      const child = spawn(process.execPath, ['scripts/check.mjs'], {
        cwd: project.path,
        env: childEnv(),
        stdio: 'inherit',
      });
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
    wholeTimeoutMs,
  );
