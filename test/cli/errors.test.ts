import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CommandError, type Io } from '../../src/cli/io.js';
import { exitStatuses, exitStatusOf } from '../../src/cli/exitStatus.js';
import { printError } from '../../src/cli/errorOutput.js';
import { program, run, startProgram, type Ended } from '../support/cli.js';
import { makeCliFixture, type CliFixture } from '../support/cliFixture.js';
import { randomSecret } from '../support/secretLeaks.js';

let cli: CliFixture;
let silent: Server;
beforeAll(async () => {
  cli = await makeCliFixture();
  await cli.voucherd('controller', 'add', '--name', 'K', '--kind', 'simulated');
  // Accepts connections, and never answers.
  silent = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  silent.close();
  await cli.remove();
});

interface Report {
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
  readonly status: number;
}

const reportOf = ({ err }: Ended): Report =>
  (JSON.parse(err.trim().split('\n').at(-1) ?? '') as { error: Report }).error;

describe('each kind of error has its exit status, as text and as JSON', () => {
  const cases: readonly [
    what: string,
    status: number,
    code: string,
    argv: string[],
    env?: Record<string, string>,
  ][] = [
    ['a failed check', 1, 'checks-failed', ['doctor'], { PORT: '1' }],
    ['an unknown option', 2, 'usage', ['key', 'list', '--colour']],
    ['a missing argument', 2, 'usage', ['key', 'revoke']],
    ['an unknown command', 2, 'usage', ['sreve']],
    ['a group without a command', 2, 'usage', ['key']],
    ['a value that is not allowed', 2, 'option-invalid', ['key', 'create', '--name', 'x', '--scope', 'all']],
    [
      'a file that is not there',
      2,
      'file-unreadable',
      ['webhook', 'add', '--name', 'x', '--format', 'slack', '--url-file', '/none'],
    ],
    ['a wrong setting', 3, 'setting-value', ['key', 'list'], { PORT: 'x' }],
    ['an unknown site', 4, 'unknown-site', ['voucher', 'list', '7']],
    ['a missing database', 4, 'database-missing', ['key', 'list'], { DATA_DIR: '/tmp/voucherd-none' }],
    ['a name that is taken', 5, 'name-taken', ['controller', 'add', '--name', 'K', '--kind', 'simulated']],
    [
      'a database that refuses connections',
      6,
      'not-usable',
      ['key', 'list'],
      { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' },
    ],
  ];

  test.each(cases)('%s: %d', async (_, status, code, argv, env = {}) => {
    const values = { ...cli.env, ...env };
    const text = await run(argv, values);
    expect(text.status).toBe(status);
    const json = await run([...argv, '--json'], values);
    expect([json.status, reportOf(json)]).toEqual([
      status,
      {
        code,
        message: expect.stringMatching(/\S/),
        status,
        ...(reportOf(json).remedy && { remedy: expect.any(String) }),
      },
    ]);
    // What people read begins with the same words.
    if (argv.join(' ') !== 'key') expect(text.err).toContain(`voucherd: ${reportOf(json).message}`);
  });

  test('a database that does not answer in time: 6 or 7', async () => {
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const env = { DATABASE_URL: `postgres://u:p@127.0.0.1:${String(port)}/d`, DATABASE_TIMEOUT_S: '1' };
    const ended = await run(['key', 'list', '--json'], env);
    expect([6, 7]).toContain(ended.status);
    expect(reportOf(ended).message).not.toContain('u:p');
  });

  test('nothing is on standard output, and a remedy can be pasted', async () => {
    const ended = await run(['voucher', 'list', '7', '--json'], cli.env);
    expect(ended).toMatchObject({ out: '' });
    expect(reportOf(ended).remedy).toBe(`see ${program} site list`);
  });

  test('--json behind -- is no option', async () => {
    const { err } = await run(['key', 'revoke', '--', '--json'], cli.env);
    expect(err).toMatch(/^voucherd: no valid key/);
  });

  test('the value of an unknown option is not repeated: it may be a secret', async () => {
    const secret = randomSecret();
    for (const json of [[], ['--json']]) {
      const { err } = await run(['key', 'list', `--token=${secret}`, ...json], cli.env);
      expect(err).toContain("unknown option '--token'");
      expect(err).not.toContain(secret);
    }
  });
});

test('an interruption ends with 130, and what nobody has foreseen with 70 and one line', () => {
  expect(exitStatusOf(new CommandError('interrupted', 'x'))).toBe(130);
  let err = '';
  const io: Io = { env: {}, out: () => undefined, err: (text) => void (err += text) };
  expect(printError(io, new TypeError(`x is no function\nat y password=geheim-1`), { json: true })).toBe(70);
  expect(JSON.parse(err)).toEqual({
    error: { code: 'internal', message: expect.stringContaining('x is no function'), status: 70 },
  });
  expect(err).not.toContain('geheim-1');
});

test('the program ends with these numbers, and help and the documents list them', async () => {
  const { ended } = startProgram(['voucher', 'list', '7'], cli.env);
  expect((await ended).status).toBe(4);
  const { out } = await run(['--help']);
  const document = await readFile(join('docs', 'command-line.md'), 'utf8');
  for (const { status, meaning } of Object.values(exitStatuses)) {
    expect(out).toMatch(new RegExp(`^ +${String(status)} +${meaning.slice(0, 20)}`, 'm'));
    expect(document).toContain(`| ${String(status)} | ${meaning}`);
  }
});
