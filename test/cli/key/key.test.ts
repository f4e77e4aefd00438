import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/database/database.js';
import { makeTables } from '../../../src/app/tables.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  await putSqliteDatabase(folder.path);
});
const voucherd = (...argv: string[]) => run(argv, { DATA_DIR: folder.path });
const create = (...options: string[]) => voucherd('key', 'create', '--name', 'Rezeption', ...options);
const keys = async () =>
  JSON.parse((await voucherd('key', 'list', '--json')).out) as Record<string, unknown>[];

describe('key list, while there is none', () => {
  test('says what to do on standard error', async () => {
    const { status, out, err } = await voucherd('key', 'list');
    expect([status, out]).toEqual([0, '']);
    expect(err).toBe(`no keys yet: ${program} key create --name N --scope write\n`);
  });
  test('with --json prints an empty list', async () => {
    expect(await voucherd('key', 'list', '--json')).toEqual({ status: 0, out: '[]\n', err: '' });
  });
});

describe('key create', () => {
  test('prints the key, alone, on stdout', async () => {
    const { status, out, err } = await create('--scope', 'write');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^uvt_[0-9a-f]{40}\n$/);
  });

  test('with --json prints the key and what it is', async () => {
    const { out } = await create('--scope', 'read', '--rate-limit', '7', '--expires', '2999-12-31', '--json');
    const made = JSON.parse(out) as { key: string };
    expect(made).toEqual({
      key: expect.stringMatching(/^uvt_[0-9a-f]{40}$/),
      prefix: made.key.slice(4, 12),
      name: 'Rezeption',
      scope: 'read',
      rateLimit: 7,
      expiresAt: '2999-12-31T00:00:00.000Z',
    });
  });

  test('proposes a limit of 60', async () => {
    const { out } = await create('--scope', 'read', '--json');
    expect(JSON.parse(out)).toMatchObject({ rateLimit: 60, expiresAt: null });
  });

  test.each(['0', '1', '1000000'])('a rate limit may be %s', async (limit) => {
    const { status, out } = await create('--scope', 'read', '--rate-limit', limit, '--json');
    expect([status, JSON.parse(out)]).toMatchObject([0, { rateLimit: Number(limit) }]);
  });

  test.each(['-1', '1000001', '1.5', 'many'])('a rate limit of "%s" is refused', async (limit) => {
    const before = await keys();
    expectOneLine(
      await create('--scope', 'read', `--rate-limit=${limit}`),
      `voucherd: --rate-limit: "${limit}" is not allowed: a whole number from 0 to 1000000`,
    );
    expect(await keys()).toEqual(before);
  });

  test('a scope other than read and write is refused', async () => {
    expectOneLine(
      await create('--scope', 'admin'),
      'voucherd: --scope: "admin" is not allowed: read or write',
    );
  });

  test.each(['yesterday', '2020-01-01'])('an expiry of "%s" is refused', async (expires) => {
    expectOneLine(
      await create('--scope', 'read', `--expires=${expires}`),
      `voucherd: --expires: "${expires}" is not allowed: a time in the future, such as 2027-12-31`,
    );
  });

  test.each(['   ', 'x'.repeat(256)])('a name of "%s" is refused', async (name) => {
    expectOneLine(
      await voucherd('key', 'create', '--scope', 'read', `--name=${name}`),
      /^voucherd: --name: ".*" is not allowed: 1 to 255 characters$/m,
    );
  });
});

describe('key list', () => {
  test('shows prefix, name, scope, limit and state, and never a key or its hash', async () => {
    const key = (await create('--scope', 'write', '--rate-limit', '0')).out.trim();
    const { status, out, err } = await voucherd('key', 'list');
    expect([status, err]).toEqual([0, '']);
    const line = out.split('\n').find((one) => one.startsWith(key.slice(4, 12)));
    expect(line).toMatch(/Rezeption +write +no limit .* valid$/);
    expect(out).not.toMatch(/[0-9a-f]{32}/);
  });

  test('with --json shows every field but the hash', async () => {
    const [first] = await keys();
    expect(first).toEqual({
      id: expect.any(Number),
      name: 'Rezeption',
      prefix: expect.stringMatching(/^[0-9a-f]{8}$/),
      scope: 'write',
      rateLimit: 60,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUsedAt: null,
      revokedAt: null,
      expiresAt: null,
      state: 'valid',
    });
  });
});

describe('key revoke', () => {
  test.each([
    ['its prefix', (key: string) => key.slice(4, 12)],
    ['the whole key', (key: string) => key],
  ])('takes %s', async (_, name) => {
    const key = (await create('--scope', 'read')).out.trim();
    const prefix = key.slice(4, 12);
    expect(await voucherd('key', 'revoke', name(key))).toEqual({
      status: 0,
      out: `revoked ${prefix}\n`,
      err: '',
    });
    expect((await keys()).find((one) => one['prefix'] === prefix)).toMatchObject({ state: 'revoked' });
  });

  test('with --json prints what was revoked', async () => {
    const prefix = (await create('--scope', 'read')).out.slice(4, 12);
    const { out } = await voucherd('key', 'revoke', prefix, '--json');
    expect(JSON.parse(out)).toEqual({ prefix, revoked: 1 });
  });

  test('a prefix that no valid key has gives one clear line', async () => {
    const prefix = (await create('--scope', 'read')).out.slice(4, 12);
    await voucherd('key', 'revoke', prefix);
    for (const unknown of [prefix, 'ffffffff', '%'])
      expectOneLine(
        await voucherd('key', 'revoke', unknown),
        `voucherd: no valid key has the prefix "${unknown}": see ${program} key list`,
      );
  });
});

test('what commands do to keys is in the audit log', async () => {
  const key = (await create('--scope', 'read', '--rate-limit', '7')).out.trim();
  await voucherd('key', 'revoke', key);
  const database = openDatabase(`sqlite:${folder.path}/voucherd.sqlite`);
  const [revoked, created] = await makeTables(database).auditLog.newest({}, undefined, 2);
  await database.close();
  const byCommand = { actorKind: 'command line', actorName: null, address: null, subjectName: 'Rezeption' };
  expect(created).toMatchObject({
    ...byCommand,
    action: 'key.create',
    detail: { scope: 'read', rateLimit: 7 },
  });
  expect(revoked).toMatchObject({ ...byCommand, action: 'key.revoke', subjectKind: 'key' });
});
