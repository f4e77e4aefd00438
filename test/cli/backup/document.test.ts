import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { nodeFlags } from '../../../scripts/tasks/program.mjs';
import { childEnv, root } from '../../support/built.js';
import { run } from '../../support/cli.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';

// Follows docs/backup.md: its lines run in a shell as they are written, in folders of the test.

const document = readFileSync(join(root, 'docs/backup.md'), 'utf8');
const at = (...parts: string[]) => join(folder.path, ...parts);
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  for (const name of ['bin', 'old', 'backups', 'nightly', 'mnt']) mkdirSync(at(name));
  writeFileSync(
    at('bin/npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" ${nodeFlags.join(' ')} "${join(root, 'scripts/voucherd.mjs')}" "$@"\n`,
    { mode: 0o755 },
  );
});

/** Runs lines with the programs that a user has, and returns what they print on standard output. */
const shell = async (lines: string, env: Record<string, string> = {}): Promise<string> => {
  const PATH = `${at('bin')}:/usr/bin:/bin`;
  const { stdout } = await promisify(execFile)('sh', ['-euc', lines], {
    cwd: folder.path,
    env: childEnv({ PATH, ...env }),
  });
  return stdout;
};

/** The lines of the document that call a command, as its reader adapts them. */
const linesOf = (command: string): string[] =>
  [...document.matchAll(new RegExp(`^ *(npx voucherd ${command}\\b.*)$`, 'gm'))].map(([, line = '']) =>
    line
      .replaceAll('/var/backups/voucherd', at('backups'))
      .replaceAll('/var/lib/voucherd', at('new'))
      .replaceAll('/mnt', at('mnt'))
      .replaceAll('/tmp/restored', at('restored')),
  );

test('the steps of the document lead from a service to its copy', async () => {
  const old = { DATA_DIR: at('old'), ADDRESS: 'https://hooks.example.org/services/x' };
  for (const line of [
    'controller add --name Haus --kind simulated --yes',
    'webhook add --name Chat --format slack --url-env ADDRESS',
  ])
    expect([line, (await run(line.split(' '), old)).status]).toEqual([line, 0]);
  const [backUp, withKey, ...others] = linesOf('backup');
  expect(others).toEqual([]);
  const printed = await shell(`${backUp!}; sha256sum "${at('backups')}"/*`, old);
  const [, first, second] = /sha256 (\w{64})[^]*?(\w{64}) /.exec(printed) ?? [];
  expect(first).toBe(second);
  writeFileSync(at('phrase'), 'vier Pferde ziehen leise\n');
  await shell(`${withKey!} --pass-phrase-file phrase`, old);

  await shell(`cp "${at('backups')}"/* old/secret.key "${at('mnt')}"`);
  const [restore, beforeCopy, ...more] = linesOf('restore');
  expect(more).toEqual([]);
  expect(await shell(restore!)).toContain('the key opens all of the 1 stored secret');
  expect((await run(['webhook', 'list'], { DATA_DIR: at('new') })).out).toContain('hooks.example.org');
  const DATABASE_URL = 'postgres://voucherd@127.0.0.1:1/voucherd';
  expect(await shell(beforeCopy!, { DATABASE_URL })).toContain(`restored ${at('restored')}/voucherd.sqlite`);
  const withPhrase = ['--data-dir', at('moved'), '--pass-phrase-file', at('phrase')];
  expect((await run(['restore', at('move.backup'), ...withPhrase])).status).toBe(0);
  expect(readFileSync(at('moved/secret.key'))).toEqual(readFileSync(at('old/secret.key')));
});

test('the configuration alone comes to another service', async () => {
  const lines = linesOf('config');
  expect(lines.length).toBe(3);
  const [exporting, ...importing] = lines.map((line) => `${line} --pass-phrase-file phrase`);
  await shell(exporting!, { DATA_DIR: at('old') });
  mkdirSync(at('other'));
  await putSqliteDatabase(at('other'));
  for (const line of importing) await shell(line, { DATA_DIR: at('other') });
  expect((await run(['webhook', 'list'], { DATA_DIR: at('other') })).out).toContain('hooks.example.org');
});

test('the line for cron makes a backup, and prints nothing when all is well', async () => {
  const [, line = ''] = /^15 3 \* \* \* cd \/opt\/voucherd && (.*)$/m.exec(document) ?? [];
  // For cron, a per cent sign is the end of the line unless it is escaped.
  const adapted = line
    .replaceAll('\\%', '%')
    .replaceAll('/var/backups/voucherd', at('nightly'))
    .replaceAll('/var/lib/voucherd', at('old'));
  expect(await shell(adapted)).toBe('');
  expect(readdirSync(at('nightly'))).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.backup$/)]);
});
