import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { servedContracts } from '../scenarios/servedContracts.js';
import { readRunOptions, stageNames } from '../../tools/contract/src/options.js';
import { makeFolder } from '../support/folder.js';

const read = (args: string[], env: Record<string, string> = {}) =>
  readRunOptions(args, { served: servedContracts, env, randomSeed: () => 4711 });

test('without arguments all stages run against a service of the run itself', () => {
  expect(read([])).toEqual({
    stages: stageNames,
    contracts: servedContracts,
    servedFiles: ['openapi.yaml', 'web.yaml'],
    url: undefined,
    key: undefined,
    readKey: undefined,
    limitedKey: undefined,
    site: undefined,
    allowWrites: true,
    maxRequests: 2000,
    maxVouchers: 50,
    against: undefined,
    seed: 4711,
    runs: 200,
    out: 'contract-report',
    command: { program: 'npm run contract --', options: [] },
  });
});

test('stages run in their own order, whatever order they are named in', () => {
  expect(read(['examples', 'lint', 'examples']).stages).toEqual(['lint', 'examples']);
});

test('nothing may be written to a service that somebody else runs, unless --allow-writes says so', () => {
  expect(read(['--url', 'https://api.example.org/base/']).allowWrites).toBe(false);
  expect(read(['--url', 'https://api.example.org/base/', '--allow-writes']).allowWrites).toBe(true);
});

test('the address has no slash at its end', () => {
  expect(read(['--url', 'https://api.example.org/base/']).url).toBe('https://api.example.org/base');
  expect(read(['--url', 'http://127.0.0.1:3000/']).url).toBe('http://127.0.0.1:3000');
});

test('keys come from a variable, a file or an argument', async () => {
  const folder = await makeFolder();
  const file = join(folder.path, 'key');
  writeFileSync(file, 'key-of-the-file\n');
  const { key, readKey, limitedKey } = read(
    ['--url', 'http://h', '--key-env', 'A', '--read-key-file', file, '--limited-key', 'key-of-argument'],
    { A: ' key-of-variable ' },
  );
  await folder.remove();
  expect([key, readKey, limitedKey].map((one) => one?.variable)).toEqual(['A', 'READ_KEY', 'LIMITED_KEY']);
  expect([key?.(), readKey?.(), limitedKey?.()]).toEqual([
    'key-of-variable',
    'key-of-the-file',
    'key-of-argument',
  ]);
});

test('options as JSON hold no key', () => {
  const options = read(['--url', 'http://h', '--key', 'key-of-argument']);
  expect(JSON.stringify(options)).not.toContain('key-of-argument');
});

test('one key from two places is refused', () => {
  const args = ['--url', 'http://h', '--key-env', 'A', '--key', 'key-of-argument'];
  expect(() => read(args, { A: 'key-of-variable' })).toThrow('one of them is enough');
});

test('a key has at least 8 characters in one line; a password may have blanks and any letter', () => {
  const args = ['--url', 'http://h', '--key-env', 'A'];
  expect(read(args, { A: 'anna:größer als acht\n' }).key?.()).toBe('anna:größer als acht');
  for (const A of ['', 'seven77', 'first line\nsecond line'])
    expect(() => read(args, { A })).toThrow(
      'the variable A holds no key: one has at least 8 characters, in one line',
    );
});
