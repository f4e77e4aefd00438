import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { toShellWord } from '../../src/lib/commandLine.js';
import { childEnv, root } from '../support/built.js';
import { makeFolder } from '../support/folder.js';

/** The pages whose shell blocks are all marked. */
const pages = [
  'README.md',
  ...['getting-started', 'install', 'operate', 'configuration', 'command-line'].map(
    (name) => `docs/${name}.md`,
  ),
];

interface Block {
  readonly line: number;
  /** `run` in order with the others, `background` until the page ends, or the reason why not. */
  readonly how: 'run' | 'background' | { readonly reason: string } | undefined;
  readonly script: string;
}

/** The shell blocks of a page: ```sh run, ```sh run background, or ```sh below a comment `not run: REASON`. */
const blocksIn = (page: string): Block[] => {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/(?:^ *<!-- not run: (.+) -->\n)?^ *```sh(.*)\n([^]*?)^ *```$/gm)].map(
    ({ index, 1: reason, 2: marks = '', 3: script = '' }) => {
      const how = { '': undefined, ' run': 'run', ' run background': 'background' } as const;
      const given = Object.entries(how).find(([mark]) => mark === marks.trimEnd());
      if (!given) throw new Error(`${page}: unknown mark:${marks}`);
      return {
        line: text.slice(0, index).split('\n').length,
        how: reason === undefined ? given[1] : { reason },
        script,
      };
    },
  );
};

/** Waits for the address of the service; then `doctor` and the curl below find it. */
const startService = (script: string): string => `${script.trim()} --json > service.out 2> service.err &
SERVICE=$!
until grep -q '"url"' service.out; do kill -0 "$SERVICE" 2> /dev/null || { cat service.err >&2; exit 97; }; sleep 0.1; done
sed -n 's/.*"url":"\\([^"]*\\)".*/\\1/p' service.out > service.url
PORT=$(sed 's/.*://' service.url); export PORT
`;

const toScript = (blocks: readonly Block[]): string =>
  [
    'set -eu',
    `trap 'if [ -n "\${SERVICE:-}" ]; then kill "$SERVICE" 2> /dev/null; wait "$SERVICE" || true; fi' EXIT`,
    ...blocks.map(({ how, script, line }) => {
      const body = how === 'background' ? startService(script) : script;
      return `echo "block at line ${String(line)}" >&2\n${body}`;
    }),
  ].join('\n');

/** Programs that the blocks call: `npx voucherd` is the one of this checkout, and curl asks the service of the page. */
const writePrograms = async (folder: string): Promise<string> => {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const programs = {
    npx: `[ "$1" = voucherd ] || exit 98; shift; exec ${toShellWord(join(root, 'scripts/voucherd.mjs'))} "$@"`,
    curl: `exec node -e '
      const [url, ...args] = process.argv.slice(1);
      const given = args.map((text) => text.replace("http://127.0.0.1:3000", url));
      process.exitCode = require("node:child_process").spawnSync(
        "/usr/bin/curl", ["-sS", "--fail-with-body", ...given], { stdio: "inherit" }).status;
    ' -- "$(cat service.url)" "$@"`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return bin;
};

test('each shell block of these pages says that it is run, or why not', () => {
  const unmarked = pages.flatMap((page) =>
    blocksIn(page)
      .filter(({ how }) => how === undefined)
      .map(({ line }) => `${page}:${String(line)}`),
  );
  expect(unmarked).toEqual([]);
});

const hasCurl = spawnSync('/usr/bin/curl', ['--version']).status === 0;

const runnable = pages
  .map((page) => ({ page, blocks: blocksIn(page).filter(({ how }) => typeof how === 'string') }))
  .filter(({ blocks }) => blocks.length > 0);

describe.each(runnable)('$page', ({ page, blocks }) => {
  const needsCurl = blocks.some(({ script }) => script.includes('curl '));
  (needsCurl && !hasCurl ? test.skip : test)(
    'can be followed: each block marked as run succeeds, in order (skipped where curl is absent)',
    async () => {
      const folder = await makeFolder();
      try {
        const bin = await writePrograms(folder.path);
        await mkdir(join(folder.path, 'work'));
        const { status, stdout, stderr } = spawnSync('sh', ['-c', toScript(blocks)], {
          cwd: join(folder.path, 'work'),
          env: childEnv({ PORT: '0', LOG_LEVEL: 'warn', PATH: `${bin}:${process.env['PATH'] ?? ''}` }),
          encoding: 'utf8',
        });
        expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
        if (page === 'docs/getting-started.md') expect(stdout).toMatch(/"success":true.*"formatted_code"/);
        expect(await readFile(join(folder.path, 'work', 'service.url'), 'utf8')).toMatch(/^http:/);
      } finally {
        await folder.remove();
      }
    },
  );
});
