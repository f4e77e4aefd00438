import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { commandTexts } from '../../src/cli/commandTexts.js';
import { describeCommand, listCommands } from '../../scripts/documents/commandTree.js';
import { settingGroups } from '../../src/config/settings.js';
import { loadWholeProgram } from '../../src/main.js';
import { root } from '../support/built.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the settings', () => {
  /** `env['NAME']`, and the functions that get the name beside the environment. */
  const readers = [/\benv\??\.?\[?['.]([A-Z][A-Z\d_]+)/g, /\(\s*env,\s*'([A-Z][A-Z\d_]+)'/g];
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const names = new Set(
    sources.flatMap((name) => {
      const text = read(join('src', name));
      return readers.flatMap((reader) => [...text.matchAll(reader)].map(([, variable = '']) => variable));
    }),
  );

  test('every variable that a source reads is in docs/configuration.md', () => {
    expect([...names].sort()).toEqual(expect.arrayContaining(['DATA_DIR', 'NOTIFY_SOCKET', 'PORT']));
    const document = read('docs/configuration.md');
    expect([...names].filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });

  test('every setting has a meaning, and one that is no number or choice says what it may be, or shows it', () => {
    for (const { settings } of settingGroups)
      for (const [name, setting] of Object.entries(settings)) {
        expect([name, setting.meaning]).toEqual([name, expect.stringMatching(/^[A-Z\d`s].*\.$/s)]);
        const { allowed, bounds, words, example, isSecret, isCommon, isForeign } = setting;
        const isExplained = allowed ?? bounds ?? words ?? example ?? isSecret ?? isCommon ?? isForeign;
        expect([name, isExplained !== undefined]).toEqual([name, true]);
      }
  });
});

describe('the examples of commands', () => {
  /** The words of a command line as a shell splits them. */
  const split = (line: string): string[] =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
  const stub = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
    command.commands.forEach(stub);
  };

  test('belong to commands that exist, and every command has one', async () => {
    const names = listCommands(describeCommand(await loadWholeProgram())).map(({ path }) => path.join(' '));
    expect(Object.keys(commandTexts).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !commandTexts[name]?.examples?.length)).toEqual([]);
  });

  test('have the right options', async () => {
    const program = await loadWholeProgram();
    stub(program);
    const wrong: string[] = [];
    for (const [name, { examples = [] }] of Object.entries(commandTexts))
      for (const [line] of examples) {
        const [command = ''] = line.split(' > ');
        const parsed = program.parseAsync(split(command), { from: 'user' });
        await parsed.catch((error: unknown) => void wrong.push(`${line}: ${String(error)}`));
        if (!line.startsWith(name)) wrong.push(`${line}: not of ${name}`);
      }
    expect(wrong).toEqual([]);
  });
});

describe('the package, which is not in the public registry', () => {
  const pages = [
    ...['README.md', 'examples/loans/README.md'],
    ...readdirSync(join(root, 'docs'))
      .filter((name) => /\.(?:md|http)$/.test(name))
      .map((name) => `docs/${name}`),
  ];
  const found = (pattern: RegExp): string[] =>
    pages.flatMap((page) => [...read(page).matchAll(pattern)].map(([text]) => `${page}: ${text}`));

  test('is installed from its file by every document, and never run by npx without being installed', () => {
    expect((JSON.parse(read('package.json')) as { private: boolean }).private).toBe(true);
    const asks =
      /\b(?:npm (?:install|i|add|exec)|(?:pnpm|yarn) (?:add|dlx)|npx(?= -))(?: -\S+)* voucherd(?=[@\s`'"]|$)/gm;
    const allowed = found(asks).filter((text) => / npx --no voucherd$/.test(text));
    expect(found(asks).filter((text) => !allowed.includes(text))).toEqual([]);
    expect(allowed).not.toEqual([]);
    expect(found(/install(?:ing)? the package `?voucherd/gi)).toEqual([]);
  });

  test('has the name of this version wherever it is installed', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const files = found(/voucherd-\d[\w.-]*\.tgz/g);
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((text) => !text.endsWith(`: voucherd-${version}.tgz`))).toEqual([]);
  });
});
