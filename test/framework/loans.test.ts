import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { causesIn } from '../../tools/contract/src/run/results.js';
import { runInProcess } from '../contractRun/thirdPartyRun.js';
import { childEnv, root } from '../support/built.js';
import { run } from '../support/cli.js';
import { forAllTests } from '../support/fixture.js';
import { followProcess } from '../support/followedProcess.js';
import { makeFolder } from '../support/folder.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';
import { runTool } from '../tools/tool.js';

type Handler = (
  request: { input: object; principal: object; reply(...args: unknown[]): unknown },
  services: object,
) => unknown;

/** What is used of the example, as it is compiled. */
interface Loans {
  makeLoans(options: { dataDir: string; logLevel: 'silent'; handlers?: Record<string, Handler> }): Promise<{
    service: { listen(where: { port: number }): Promise<{ url: string }>; close(): Promise<void> };
    services: { database: { close(): Promise<void> } };
  }>;
}

/** What the example needs of the packages of this checkout. */
const packages = ['.bin', '@types', 'openapi-typescript', 'sqlite3', 'typescript', 'undici-types'];
/** A copy of the example with the build that there is: `npm test` in the checkout may build it anew. */
let example: string;
let contract: string;
let tested: string;
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  example = join(folder.path, 'loans');
  contract = join(example, 'contract/openapi.yaml');
  const isWritten = (file: string): boolean => ['dist', 'node_modules'].includes(basename(file));
  await cp(join(root, 'examples/loans'), example, { recursive: true, filter: (file) => !isWritten(file) });
  await mkdir(join(example, 'node_modules'));
  for (const name of packages)
    await symlink(join(root, 'node_modules', name), join(example, 'node_modules', name));
  await symlink(root, join(example, 'node_modules/voucherd'));
  tested = (await runTool('npm', ['test', '--ignore-scripts'], { cwd: example })).out;
});

test('npm test works in the example', () => {
  expect(tested).toMatch(/^# pass [1-9]/m);
  expect(tested).toMatch(/^# fail 0$/m);
});

test('what npm start starts serves it, until it is ended', async () => {
  const { scripts } = JSON.parse(await readFile(join(example, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  // `npm test` has built it.
  const [build, program = ''] = scripts.start.split(' && exec ');
  expect(build).toBe('npm run build');
  const child = spawn('sh', ['-c', `exec ${program}`], {
    cwd: example,
    env: childEnv({ PORT: '0', DATA_DIR: join(folder.path, 'started') }),
  });
  const { printed } = followProcess(child);
  const exited = once(child, 'exit');
  try {
    const url = await until('the address of the service', () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${printed()}`);
      return /"url":"([^"]+)","msg":"listening"/.exec(printed())?.[1];
    });
    expect(url).toMatch(/\/v1$/);
    expect((await send(url, 'GET', '/things')).body).toEqual({ things: [] });
  } finally {
    if (child.exitCode === null) child.kill('SIGTERM');
    await exited;
  }
});

test('its types follow its contract', async () => {
  const types = ['types', contract, '--out', join(example, 'src/contract.ts'), '--check'];
  expect(await run(types)).toMatchObject({ status: 0 });
});

const load = async <T>(module: string): Promise<T> =>
  (await import(pathToFileURL(join(example, 'dist/src', module)).href)) as T;

/** The contract run on the example. What is wrong, by the names of cases. */
const contractRun = async (
  stages: readonly string[],
  defects: Readonly<Record<string, Handler>> = {},
  maxRequests = 5000,
): Promise<string[]> => {
  const { makeLoans } = await load<Loans>('service.js');
  const { handlers } = await load<{ handlers: Record<string, Handler> }>('handlers.js');
  const dataDir = join(folder.path, ['data', ...stages, ...Object.keys(defects)].join('-'));
  const { service, services } = await makeLoans({
    dataDir,
    logLevel: 'silent',
    handlers: { ...handlers, ...defects },
  });
  const { url } = await service.listen({ port: 0 });
  const [username, password] = ['Anna', 'correct horse battery'];
  await send(url, 'POST', '/members', { body: { name: username, password } });
  const { body } = await send(url, 'POST', '/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'password', username, password }).toString(),
  });
  const result = await runInProcess(
    folder.path,
    { TOKEN: (body as { access_token: string }).access_token },
    {
      ...{ stages, contract, url, keyEnv: ['TOKEN'], maxRequests, runs: 1 },
      scenarios: join(example, 'test/scenarios.mjs'),
    },
  );
  await service.close();
  await services.database.close();
  const ran = result?.contracts.flatMap((one) => one.stages) ?? [];
  expect(ran.map(({ name }) => name)).toEqual(stages);
  return ran
    .flatMap((stage) => causesIn(stage, 'failed'))
    .map(({ name, problem }) => `${name}: ${problem?.what ?? ''}`);
};

test('its contract run finds nothing', async () => {
  expect(await contractRun(['examples', 'conformance', 'security', 'sequences'])).toEqual([]);
  // A part of what is generated: `test/contractRun` has the rest.
  expect(await contractRun(['generated'], {}, 300)).toEqual([]);
});

const idOf = ({ input }: Parameters<Handler>[0]): number =>
  (input as { path: { thingId: number } }).path.thingId;

test.each<[string, Record<string, Handler>, RegExp]>([
  [
    'a removal that removes nothing',
    { removeThing: ({ reply }) => reply(204) },
    /getThing answers 200 after removeThing/,
  ],
  [
    'a change that is answered and not stored',
    {
      changeThing: (request) =>
        request.reply(200, {
          ...{ id: idOf(request), owner: 'Anna', kind: 'tool', name: 'Drill', watts: 1 },
          ...(request.input as { body: object }).body,
        }),
    },
    /changeThing shows kind as "tool" after changeThing with "book"/,
  ],
])('its contract run finds %s', async (_, defects, found) => {
  expect(await contractRun(['sequences'], defects)).toContainEqual(expect.stringMatching(found));
});
