import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blocksOf, shownAnswer, type Block } from '../dev/guide.js';
import { childEnv, root } from '../support/built.js';
import { followProcess } from '../support/followedProcess.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { installTarball, packTarball } from '../support/installedPackage.js';
import { send, type Answer } from '../support/service.js';
import { until } from '../support/until.js';
import { runTool } from '../tools/tool.js';

/** The first part of the page; `test/dev/designAnOperation.test.ts` follows the second. */
const [guide = ''] = readFileSync(join(root, 'docs/design-an-operation.md'), 'utf8').split(
  '\n# From a line ',
);

/** What the guide installs besides the package. */
const tools = ['typescript', 'openapi-typescript', '@types/node', 'undici-types'];

let folder: TestFolder;
/** The folder that the guide begins with, with the packed package in it. */
let app: string;
/** The package, as `npm pack` makes it. */
let packed: string;
let end: (() => Promise<void>) | undefined;
let url = '';
let answer: Answer | undefined;
/** What `voucherd types` says where its generator is not installed. */
let refused = '';

beforeAll(async () => {
  folder = await makeFolder();
  await chmod(folder.path, 0o755);
  packed = await packTarball(folder.path);
  app = (await installTarball(packed, folder.path)).folder;
  await copyFile(join(import.meta.dirname, 'tasks.yaml'), join(app, 'tasks.yaml'));
  const types = ['types', 'tasks.yaml', '--out', 'x.ts'];
  const voucherd = join(app, 'node_modules/.bin/voucherd');
  refused = (await runTool(voucherd, types, { cwd: app })).out;
  for (const name of tools) {
    const place = join(app, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(root, 'node_modules', name), place);
  }
  await symlink('../typescript/bin/tsc', join(app, 'node_modules/.bin/tsc'));
  await writeFile(join(app, 'wren.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
});
afterAll(async () => {
  await end?.();
  await folder.remove();
});

/** As in a shell, with the address of this run. */
const runShell = async (text: string): Promise<void> => {
  // The same generated requests each time.
  const script = text.replaceAll('http://127.0.0.1:8080/v1', url).replace('--allow-writes', '$& --seed 1');
  const { status, out } = await runTool('sh', ['-ec', script], { cwd: app });
  expect({ status, out }).toEqual({ status: 0, out });
};

const serve = async (line: string): Promise<void> => {
  const [, TOKEN = '', file = ''] = /^TOKEN=(\S+) node (\S+)\n$/.exec(line) ?? [];
  const child = spawn(process.execPath, [file], { cwd: app, env: childEnv({ TOKEN, PORT: '0' }) });
  const { printed } = followProcess(child);
  end = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  };
  url = await until('the address of the service', () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${printed()}`);
    return /"url":"([^"]+)","msg":"listening"/.exec(printed())?.[1];
  });
};

/** What a line of curl asks for, sent to this run's address. */
const request = async (line: string): Promise<void> => {
  const words = [...line.trim().matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const valuesOf = (flag: string) => words.filter((_, index) => words[index - 1] === flag);
  const headers = Object.fromEntries(
    valuesOf('-H').map((header) => /^([^:]+): (.*)$/.exec(header)?.slice(1) as [string, string]),
  );
  const [data] = [...valuesOf('-d'), ...valuesOf('--data-binary')];
  const [method = data === undefined ? 'GET' : 'POST'] = valuesOf('-X');
  const body = data?.startsWith('@') ? await readFile(join(app, data.slice(1)), 'latin1') : data;
  const { pathname } = new URL(words.at(-1) ?? '');
  answer = await send(url, method, pathname.replace('/v1', ''), {
    headers,
    ...(body !== undefined && { body }),
  });
};

/** Installs what is there already, so that no registry is asked, and runs any other line. */
const install = async (line: string): Promise<void> => {
  const [, options = '', names = ''] = /^npm install((?: --\S+)*) (.+)$/.exec(line) ?? [];
  if (names === '') return runShell(line);
  if (options === '') {
    expect(names).toBe(`./${basename(packed)}`);
    return;
  }
  const versions = names.split(' ').map((name) => /^(.+)@(\d+)$/.exec(name)?.slice(1) ?? [name]);
  for (const [name = '', major] of versions) {
    const manifest = await readFile(join(app, 'node_modules', name, 'package.json'), 'utf8');
    expect(manifest).toContain(`"version": "${major ?? '?'}.`);
  }
};

const follow = async ({ language, purpose, text }: Block): Promise<void> => {
  if (language === 'http') {
    const shown = shownAnswer(text);
    const { status, headers, body } = shown;
    const instance = answer?.text.replaceAll(new URL(url).pathname, '/v1');
    expect({ ...answer, text: instance }).toMatchObject({ status, headers, text: body });
  } else if (language !== 'sh') {
    await mkdir(dirname(join(app, purpose)), { recursive: true });
    await writeFile(join(app, purpose), text);
  } else if (purpose === 'run') await runShell(text);
  else if (purpose === 'serve') await serve(text);
  else if (purpose === 'request') await request(text);
  else {
    expect(purpose).toBe('install');
    for (const line of text.trim().split('\n')) await install(line);
  }
};

test('the guide can be followed from an empty folder with the packed package, to a contract run that finds nothing', async () => {
  for (const block of blocksOf(guide)) await follow(block);
});

test('without the generator of types it said how to install it', () => {
  expect(refused).toContain('npm install --save-dev openapi-typescript@7 typescript@5');
});
