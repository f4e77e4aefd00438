import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { breaking } from '../../tools/contract/src/breaking/breaking.js';
import { examples } from '../../tools/contract/src/examples/examples.js';
import { lint } from '../../tools/contract/src/lint/lint.js';
import { runProgramWith } from '../contractRun/programRun.js';
import { childEnv } from '../support/built.js';
import { refusal } from '../support/refusal.js';
import { send, type Answer } from '../support/service.js';
import { until } from '../support/until.js';
import { startDevCommand, type DevCommand } from './devCommand.js';
import { mistakes } from './mistakes.js';
import { makeProject, type Project } from './project.js';

let project: Project;
let loop: DevCommand;
/** A key without a limit. */
let key: string;
let written: string;

beforeAll(async () => {
  // What compares contracts, so that lint tells of changes that break clients: against the last commit.
  project = await makeProject(['tools/contract']);
  written = await project.read('openapi.yaml');
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: project.path });
  await git('init', '--quiet');
  await git('add', 'openapi.yaml');
  const author = ['-c', 'user.name=Designer', '-c', 'user.email=designer@example.org'];
  await git(...author, 'commit', '--quiet', '--message', 'The contract');
  loop = await startDevCommand(project);
  const options = ['key', 'create', '--name', 'Test', '--scope', 'write', '--rate-limit', '0'];
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/voucherd.mjs', ...options], {
    cwd: project.path,
    env: childEnv({ DATA_DIR: join(project.path, 'data') }),
  });
  key = stdout.trim();
});
afterAll(async () => {
  expect(await loop.stop()).toBe(0);
  await expect(send(loop.url, 'GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
  await project.remove();
});

const wrong = (): Promise<Answer> => send(loop.url, 'GET', '/vouchers.php', { key });
const said = (message: string) => refusal(400, 'invalid_request', message);
const saying = (message: string): string => written.replaceAll('site_id erforderlich', message);

/** Saves a contract, and waits for what the terminal shows of it. */
const save = async (text: string, shown: string | RegExp = / loaded in \d+ ms: /): Promise<string> => {
  const from = loop.output().length;
  await project.write('openapi.yaml', text);
  await loop.shows(shown, from);
  return loop.output().slice(from);
};

test('what is saved is answered and described, without a restart', async () => {
  const times: number[] = [];
  for (const message of ['Welche Site?', 'Und welche Site?']) {
    const [saved, from] = [performance.now(), loop.output().length];
    await project.write('openapi.yaml', saying(message));
    await until('the new answer', async () => (await wrong()).text.includes(message));
    times.push(Math.round(performance.now() - saved));
    expect((await send(loop.url, 'GET', '/openapi.yaml')).text).toContain(message);
    // It is told a moment later, and what is told of the next save must not be taken for it.
    await loop.shows(/ loaded in \d+ ms: /, from);
  }
  console.log(`from saving to the new answer: ${times.join(' ms, ')} ms`);
  expect(loop.output()).toMatch(
    /^dev: openapi\.yaml loaded in \d+ ms: (~ \w+, )*~ listVouchers, ~ createVoucher$/m,
  );
  expect(loop.output()).not.toContain('starting the new build');
});

test('of 300 requests during three reloads none is dropped, and each is answered by the old or the new contract', async () => {
  const message = (index: number): string => `Meldung ${index}.`;
  await save(saying(message(0)));
  let [saved, loaded, count, reloading] = [0, 0, 0, true];
  const client = async (): Promise<void> => {
    while (reloading || count < 300) {
      count += 1;
      const earliest = loaded;
      const { status, body } = await wrong();
      expect(status).toBe(400);
      const index = Number(/^Meldung (\d+)\.$/.exec((body as { message: string }).message)?.[1]);
      expect(index).toBeGreaterThanOrEqual(earliest);
      expect(index).toBeLessThanOrEqual(saved);
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  while (saved < 3) {
    saved += 1;
    await save(saying(message(saved)));
    loaded = saved;
    await until('a hundred requests', () => count >= 100 * saved);
  }
  reloading = false;
  await clients;
  expect(await wrong()).toMatchObject(said(message(3)));
  console.log(`${count} requests during three reloads`);
});

/** The ▲ stands before what the terminal must point to. */
test.each([
  ['no YAML', 'tags: [sites]\n', 'tags: [sites]▲]\n', 'Unexpected flow-seq-end'],
  [
    'a wrong default',
    'default: 480',
    'default: ▲0',
    'POST /vouchers.php: the default of expire_minutes does not fit its schema: must be >= 1',
  ],
])(
  'a broken contract leaves the last one serving, and the terminal shows where it is broken: %s',
  async (_, from, to, what) => {
    await save(saying('Noch immer'));
    const marked = saying('Nicht zu lesen').replace(from.replace('▲', ''), () => to);
    const shown = await save(marked.replace('▲', ''), 'dev: the last contract goes on.');
    const before = marked.slice(0, marked.indexOf('▲')).split('\n');
    const [line, column] = [before.length, before.at(-1)!.length + 1];
    const text = marked.replace('▲', '').split('\n')[line - 1]!;
    expect(shown).toContain(`dev: openapi.yaml:${line}:${column}: ${what}`);
    expect(shown).toContain(`\n${String(line).padStart(5)} | ${text}\n      | ${' '.repeat(column - 1)}^\n`);
    expect(await wrong()).toMatchObject(said('Noch immer'));
  },
);

test('a contract that is empty for a while leaves the last one serving', async () => {
  await save(saying('Bald leer'));
  await save('', 'dev: the last contract goes on.');
  expect(await wrong()).toMatchObject(said('Bald leer'));
  await save(written);
});

test('the other files of a contract are followed by the service, types and lint', async () => {
  const use = "$ref: '#/components/schemas/SiteList'";
  expect(written).toContain(use);
  await project.write('schemas/site.yaml', 'type: object\nproperties:\n  planted: { type: string }\n');
  await save(written.replace(use, '$ref: schemas/site.yaml'));
  const from = loop.output().length;
  await project.write(
    'schemas/site.yaml',
    'type: object\nproperties:\n  changed: { type: integer, x-lenien: true }\n',
  );
  await loop.shows(/^schemas\/site\.yaml:3:\d+: .*x-lenien/m, from);
  await until('the new types', async () =>
    (await project.read('generated/openapi.ts')).includes('changed?: number'),
  );
  await save(written);
});

test('what lint finds is shown when it comes, and holds up nothing', async () => {
  const line = written.split('\n').findIndex((text) => text.includes('title: Voucher API')) + 2;
  const shown = await save(
    written.replace('title: Voucher API', '$&\n  titel: Gutscheine'),
    /Property `titel`/,
  );
  expect(shown).toMatch(/^dev: openapi\.yaml loaded in \d+ ms: /m);
  expect(shown).toContain(
    `\nopenapi.yaml:${line}:3: error: Property \`titel\` is not expected here. (struct)\n`,
  );
  await save(written, 'dev: lint: nothing found.');
});

describe('a mistake in the contract', () => {
  const finding = /^(?:dev: )?openapi\.yaml:\d+:\d+: /;

  // Each mistake takes the place of the one before; the last is none that the service refuses.
  afterAll(() => save(written, 'dev: lint: nothing found.'));

  /** Everything that is said of a mistake: the finding, and the line that it shows. */
  const tellDev = async (text: string): Promise<string[]> => {
    const said = (await save(text, new RegExp(finding, 'm'))).split('\n');
    return said.flatMap((line, index) => (finding.test(line) ? [line, said[index + 1] ?? ''] : []));
  };

  test.each(mistakes)(
    '$name: npm run dev and npm run contract name the line and the cause, once',
    async ({ from, to, dev, contract, line }) => {
      expect(written).toContain(from);
      const text = written.replace(from, () => to);
      const [told, shown, ...more] = await tellDev(text);
      expect(more).toEqual([]);
      expect(told).toMatch(dev);
      expect(shown).toContain(line);

      const put = async (name: string, content: string): Promise<string> => {
        await project.write(name, content);
        return join(project.path, name);
      };
      const changed = await put('contract/openapi.yaml', text);
      const released = await put('released/openapi.yaml', written);
      const { status, printed } = await runProgramWith(
        project.path,
        [lint, breaking, examples],
        ['lint', 'breaking', 'examples', '--contract', changed, '--against', released],
      );
      expect(status).toBe(1);
      expect(printed).toMatch(/^FAIL 1 failure in /m);
      const problems = [...printed.matchAll(/^ {5}✗ .*\n {7}(.*)\n {7}\S+?:\d+:\d+\n {9}(.*)$/gm)];
      expect(problems).toHaveLength(1);
      const [, what, excerpt] = problems[0]!;
      expect(what).toMatch(contract);
      expect(excerpt).toContain(line);
    },
  );
});

test('a change of sources starts the new build beside the last one: no request is refused, and the key stays valid', async () => {
  let [count, replaced] = [0, false];
  const client = async (): Promise<void> => {
    while (!replaced) {
      const { status, headers } = await send(loop.url, 'GET', '/sites.php', { key });
      expect(status).toBe(200);
      count += 1;
      replaced = headers['x-build'] === 'next';
      await setTimeout(30);
    }
  };
  const clients = Promise.all([client(), client()]);
  await project.change('handlers/listSites.ts', 'sites.list())', "sites.list(), { 'X-Build': 'next' })");
  await clients;
  expect((await send(loop.url, 'GET', '/sites.php', { key: loop.key })).status).toBe(200);
  console.log(`${count} requests while the new build started`);
});

test('a file is followed that is in a new folder, and that an editor replaces instead of writing it', async () => {
  const replace = async (message: string): Promise<void> => {
    await project.write('handlers/new/build.ts.new', `export const build = '${message}';\n`);
    await rename(
      join(project.path, 'handlers/new/build.ts.new'),
      join(project.path, 'handlers/new/build.ts'),
    );
  };
  const serves = (build: string) =>
    until(`build ${build}`, async () => {
      const { headers } = await send(loop.url, 'GET', '/sites.php', { key });
      return headers['x-build'] === build;
    });
  await replace('first');
  const handler = await project.read('handlers/listSites.ts');
  await project.write(
    'handlers/listSites.ts',
    `import { build } from './new/build.js';\n${handler}`.replace("'next'", 'build'),
  );
  await serves('first');
  await replace('second');
  await serves('second');
  await project.write('handlers/listSites.ts', handler);
  await serves('next');
});

test('what can not be compiled is shown with its place, and an error of types is, too', async () => {
  const handler = await project.read('handlers/listSites.ts');
  const from = loop.output().length;
  await project.write('handlers/listSites.ts', `${handler}const a = ;\n`);
  const line = handler.split('\n').length;
  await loop.shows(`dev: handlers/listSites.ts:${line}:11: Unexpected ";"\n`, from);
  await project.write('handlers/listSites.ts', `${handler}export const a: string = 1;\n`);
  await loop.shows(`handlers/listSites.ts:${line}:14 - error TS2322: Type 'number'`, from);
  await project.write('handlers/listSites.ts', handler);
  expect((await send(loop.url, 'GET', '/sites.php', { key })).status).toBe(200);
});

test('a build that does not start leaves the last one serving', async () => {
  const from = loop.output().length;
  const handler = await project.read('handlers/listSites.ts');
  await project.write('handlers/listSites.ts', `${handler}\nvoid JSON.parse('no JSON');\n`);
  await loop.shows('dev: the new build did not start; the last one goes on.', from);
  expect((await send(loop.url, 'GET', '/sites.php', { key })).headers['x-build']).toBe('next');
  await project.write('handlers/listSites.ts', handler.replace("'next'", "'better'"));
  await until(
    'the good build',
    async () => (await send(loop.url, 'GET', '/sites.php', { key })).headers['x-build'] === 'better',
  );
});

test('the pages are built when one of their files is saved, and served; what can not be built leaves the last ones', async () => {
  const document = async (): Promise<string> => {
    const { text } = await send(loop.url, 'GET', '/');
    return text.replace(/<meta name="style-nonce"[^>]*>/, '');
  };
  const file = 'web/src/texts/en/signIn.json';
  const [before, texts] = [await document(), await project.read(file)];
  const from = loop.output().length;
  await project.change(file, '"title": "Sign in"', '"title": "Come in"');
  await loop.shows('dev: the pages are built: reload the browser.', from);
  const built = await document();
  expect(built).not.toBe(before);
  const broken = loop.output().length;
  await project.write(file, texts.replace('"title"', '"heading"'));
  await loop.shows('signIn.title is missing in en', broken);
  await loop.shows('the last pages go on.', broken);
  expect(await document()).toBe(built);
});
