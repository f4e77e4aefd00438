import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeCommand, listCommands } from '../../../src/cli/commandTree.js';
import { loadWholeProgram } from '../../../src/main.js';
import { expectOneLine, run } from '../../support/cli.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** Writes the script for a shell into a file. */
const writeScript = async (shell: string): Promise<string> => {
  const { status, out, err } = await run(['completion', shell]);
  expect([status, err]).toEqual([0, '']);
  const file = join(folder.path, `voucherd.${shell}`);
  await writeFile(file, out);
  return file;
};

const runShell = (shell: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', cwd: folder.path });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
};

const testIn = (shell: string) => (isInstalled(shell) ? test : test.skip);

testIn('bash')(
  'bash completes commands, options, words and files (skipped where bash is absent)',
  async () => {
    const file = await writeScript('bash');
    const lines: readonly [words: string[], expected: string[]][] = [
      [['co'], ['contract', 'controller', 'config', 'completion']],
      [
        ['key', ''],
        ['create', 'list', 'revoke', '--help'],
      ],
      [['key', 'create', '--sc'], ['--scope']],
      [
        ['key', 'create', '--scope', ''],
        ['read', 'write'],
      ],
      [['key', 'create', '--scope', '=', 'w'], ['write']],
      [
        ['key', 'create', '--scope', '='],
        ['read', 'write'],
      ],
      // A name can be anything, also that of a command.
      [['key', 'create', '--name', 'k'], []],
      [['key', 'create', '--name', 'key', '--scope', 'r'], ['read']],
      [['user', 'role', 'Anna', 'ad'], ['admin']],
      [
        ['controller', 'add', '--kind', 'unifi'],
        ['unifi', 'unifi-classic'],
      ],
      [
        ['completion', ''],
        ['bash', 'zsh', 'fish', '--json', '--help'],
      ],
      [['import', 'php-tool', '--dump', ''], ['FILES']],
      [['database', 'copy', '--to', ''], ['FILES']],
      [['database', 'compare', '--from', '/var/'], ['FILES']],
      [['restore', '--data-dir', ''], ['FOLDERS']],
      [['restore', '--sha256', ''], []],
      [['backup', 'x'], ['FILES']],
      [['import', 'php-tool', '--du'], ['--dump']],
      // Nothing that was typed is run.
      [['$(echo', 'x)', 'ser'], ['serve']],
    ];
    // Outside of a completion there is no compopt: the test shows that it was called.
    const script = [
      "compopt() { case \"$*\" in '-o default') echo FILES ;; '-o dirnames') echo FOLDERS ;; esac; }",
      `. ${JSON.stringify(file)}`,
      ...lines.map(([words]) => {
        const quoted = ['voucherd', ...words].map((word) => `'${word}'`).join(' ');
        return `COMP_WORDS=(${quoted}); COMP_CWORD=${String(words.length)}; _voucherd; echo "\${COMPREPLY[*]}" '|'`;
      }),
      'complete -p voucherd',
    ].join('\n');
    const answers = runShell('bash', '--norc', '-c', script).split('|\n');
    for (const [index, [words, expected]] of lines.entries()) {
      const offered = (answers[index] ?? '').split(/\s+/).filter(Boolean);
      expect([words, offered]).toEqual([words, expected]);
    }
    expect(answers.at(-1)?.trim()).toBe('complete -F _voucherd voucherd');
  },
);

test('zsh and fish complete paths, too', async () => {
  const { out: zsh } = await run(['completion', 'zsh']);
  expect(zsh).toMatch(/^ +\('\/restore --data-dir'\) _files -\/; return ;;$/m);
  expect(zsh).toMatch(/^ +\('\/database\/copy --to'\) _files; return ;;$/m);
  const { out: fish } = await run(['completion', 'fish']);
  expect(fish).toMatch(/voucherd\/restore' -l data-dir -x -a '\(__fish_complete_directories\)' -d /);
  expect(fish).toMatch(/voucherd\/database\/compare' -l from -r -F -d /);
});

describe('every shell knows every command and option', () => {
  test.each(['bash', 'zsh', 'fish'])('%s', async (shell) => {
    const { out } = await run(['completion', shell]);
    for (const { path, options } of listCommands(describeCommand(await loadWholeProgram()))) {
      expect(out).toContain(`/${path.join('/')}`);
      for (const { long } of options) expect(out).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
    }
    expect(JSON.parse((await run(['completion', shell, '--json'])).out)).toEqual({ shell, script: out });
  });
});

testIn('zsh')('zsh reads its script (skipped where zsh is absent)', async () => {
  const file = await writeScript('zsh');
  const output = runShell(
    'zsh',
    '-f',
    '-c',
    `autoload -Uz compinit && compinit -D && source '${file}' && print $_comps[voucherd]`,
  );
  expect(output.trim()).toBe('_voucherd');
});

testIn('fish')('fish completes commands, options and words (skipped where fish is absent)', async () => {
  const file = await writeScript('fish');
  const complete = (line: string): string[] =>
    runShell('fish', '--no-config', '-c', `source '${file}'; complete -C '${line}'`)
      .split('\n')
      .map((text) => text.split('\t')[0] ?? '')
      .filter(Boolean);
  expect(complete('voucherd key ')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']));
  expect(complete('voucherd key create --scope ')).toEqual(['read', 'write']);
});

test('another shell is refused with one clear line', async () => {
  expectOneLine(await run(['completion', 'tcsh']), 'shell: "tcsh" is not allowed: one of bash, zsh, fish');
  expectOneLine(await run(['completion', 'x'.repeat(65_536)]), /^voucherd: shell: "x{40}" is not allowed/);
});
