import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { HttpRequest } from '../../tools/contract/src/request.js';
import { curlLine } from '../../tools/contract/src/target/curl.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';

const key = `uvt_${'0123456789abcdef'.repeat(3).slice(0, 40)}`;
const keys = { all: () => [{ text: () => key, scope: 'read', limit: 0 }] };

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  // Stands in for curl: prints its arguments and its input, both as bytes.
  const program = [
    '#!/usr/bin/env bash',
    `printf '%s\\0' "$@" | base64 | tr -d '\\n'; echo`,
    `for word in "$@"; do if [ "$word" = @- ]; then base64 | tr -d '\\n'; fi; done`,
  ].join('\n');
  await writeFile(join(folder.path, 'curl'), program);
  await chmod(join(folder.path, 'curl'), 0o755);
});

/** Lets bash read a line, and returns what curl would get. */
const read = async (line: string): Promise<{ args: string[]; input: string }> => {
  const env = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, KEY: key };
  const { stdout } = await promisify(execFile)('bash', ['-c', line], { env });
  const [args = '', input = ''] = stdout
    .split('\n')
    .map((encoded) => Buffer.from(encoded, 'base64').toString('latin1'));
  return { args: args.split('\0').slice(0, -1), input };
};

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
const get: HttpRequest = { method: 'GET', requestTarget: '/vouchers.php?site_id=1', headers: [] };
const lineOf = (request: Partial<HttpRequest>): string =>
  curlLine('http://localhost:3000', { ...get, ...request }, keys);

test('a line without anything odd reads like one that a person would write', () => {
  const body = '{"site_id":1,"name":"Familie Müller"}';
  const headers = [
    ['Authorization', `Bearer ${key}`],
    ['Content-Type', 'application/json'],
  ] as const;
  expect(lineOf({ method: 'POST', requestTarget: '/vouchers.php', headers, body })).toBe(
    `curl -sS -i -X POST -H 'Authorization: Bearer '"$KEY" -H 'Content-Type: application/json' --data-binary '${body}' 'http://localhost:3000/vouchers.php'`,
  );
  expect(lineOf({})).toBe("curl -sS -i 'http://localhost:3000/vouchers.php?site_id=1'");
});

test('a key is the variable that it came from, in every form in which it is sent', async () => {
  const named = { all: () => [{ text: () => key, variable: 'READ_KEY', scope: 'read', limit: 0 }] };
  const shown = (header: string): string =>
    curlLine('http://localhost:3000', { ...get, headers: [['Authorization', header]] }, named);
  expect(shown(`Bearer ${key}`)).toContain(`'Authorization: Bearer '"$READ_KEY"`);
  expect(shown(key.slice(0, -1))).toContain('"${READ_KEY%?}"');
  expect(shown(key.toUpperCase())).toContain('"$(printf %s "$READ_KEY" | tr a-z A-Z)"');
});

const bodies = [
  "it's",
  '\'; rm -rf $HOME; echo `id` \\ "',
  'line\nbreak\ttab',
  '\u202e😀',
  '$KEY',
  '%s %n \\x41',
  'x'.repeat(3000),
  `{"a":"${'x'.repeat(65_536)}%'\\n"}`,
  'ä'.repeat(3000),
];

test('a body arrives as it was sent', async () => {
  for (const body of bodies) {
    const { args, input } = await read(lineOf({ method: 'POST', body }));
    const given = args[args.indexOf('--data-binary') + 1];
    expect(given === '@-' ? input : given).toBe(utf8(body));
  }
});

test('a header arrives as it was sent', async () => {
  for (const value of ['', 'a b', '\'"$KEY`\\', 'sch\u00fcssel \u00ff']) {
    const { args } = await read(lineOf({ headers: [['X-Odd', value]] }));
    expect(args[args.indexOf('-H') + 1]).toBe(value === '' ? 'X-Odd;' : `X-Odd: ${value}`);
  }
});

const keyForms = [
  ['itself', key],
  ['in capitals', key.toUpperCase()],
  ['without its end', key.slice(0, -1)],
  ['with another end', `${key.slice(0, -1)}x`],
  ['twice', `${key}, ${key}`],
  ['as a user', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
] as const;

test('a key is left out and arrives all the same, in every form', async () => {
  for (const [form, value] of keyForms) {
    const line = lineOf({ headers: [['X-API-Key', value]] });
    expect(line.toLowerCase()).not.toContain(key.slice(8, 20));
    expect(line).not.toContain(Buffer.from(key).toString('base64').slice(8, 20));
    const { args } = await read(line);
    expect([form, args[args.indexOf('-H') + 1]]).toEqual([form, `X-API-Key: ${value}`]);
  }
});

test('brackets in the address are no list, and HEAD waits for no body', async () => {
  const { args } = await read(lineOf({ method: 'HEAD', requestTarget: '/vouchers.php?site_id[]=1' }));
  expect(args).toEqual([
    '-sS',
    '-i',
    '--head',
    '--globoff',
    'http://localhost:3000/vouchers.php?site_id[]=1',
  ]);
});
