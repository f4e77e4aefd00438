import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { runTool } from '../tools/tool.js';

/** A project that has the package installed, and the types of Node. */
const project = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  const packages = join(project.path, 'node_modules');
  await mkdir(join(packages, '@types'), { recursive: true });
  await symlink(root, join(packages, 'voucherd'));
  await symlink(join(root, 'node_modules/@types/node'), join(packages, '@types/node'));
  await symlink(join(root, 'node_modules/undici-types'), join(packages, 'undici-types'));
  await writeFile(join(project.path, 'package.json'), '{"type":"module"}');
});

const run = promisify(execFile);

test('voucherd/contract is one file, and loads no database and no Express', async () => {
  await writeFile(
    join(project.path, 'loaded.mjs'),
    `import { createRequire } from 'node:module';
    import * as face from 'voucherd/contract';
    const files = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify({ names: Object.keys(face), files }));`,
  );
  const { stdout } = await run(process.execPath, ['loaded.mjs'], { cwd: project.path });
  const { names, files } = JSON.parse(stdout) as { names: string[]; files: string[] };
  expect(names).toEqual(expect.arrayContaining(['HttpProblem', 'serveContract']));
  expect(
    files.filter(
      (file) => !/\/(?:dist\/program\/framework\.cjs|node_modules\/(?:yaml|jsonc-parser)\/.*)$/.test(file),
    ),
  ).toEqual([]);
});

test('no word of ours is in it', () => {
  const text = readFileSync(join(root, 'dist/program/framework.cjs'), 'utf8');
  expect(text.match(/.{0,40}(?:voucher|kiosk|unifi(?!ses)|uvt_|createKnex).{0,40}/gi)).toBeNull();
});

test('its types need no other package than those of Node, and check handlers', async () => {
  await writeFile(
    join(project.path, 'service.ts'),
    `import { serveContract, HttpProblem, type ContractService } from 'voucherd/contract';
    interface operations {
      getTask: {
        parameters: { path: { id: number } };
        responses: { 200: { content: { 'application/json': { id: number } } }; 404: { content?: never } };
      };
    }
    export const good: Promise<ContractService> = serveContract<operations, undefined, Map<number, string>>({
      contract: 'openapi.yaml',
      services: new Map(),
      handlers: {
        getTask: ({ input, reply }, tasks) => {
          if (!tasks.has(input.path.id)) throw new HttpProblem('not_found');
          return reply(200, { id: input.path.id });
        },
      },
    });
    // @ts-expect-error a status that is not documented
    export const bad = serveContract<operations>({ contract: '', handlers: { getTask: ({ reply }) => reply(201, { id: 1 }) } });
    // @ts-expect-error there is no handler
    export const none = serveContract<operations>({ contract: '', handlers: {} });
    export const mocked = serveContract<operations>({ contract: '', handlers: {}, mocks: 'missing' });`,
  );
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
    '--skipLibCheck',
    'false',
  ];
  const { out } = await runTool(process.execPath, [compiler, ...options, 'service.ts'], {
    cwd: project.path,
  });
  expect(out).toBe('');
});
