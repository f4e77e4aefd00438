import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeRadiusPostgres, type RadiusDatabase } from '../../controllers/radiusSql/radiusDatabase.js';
import { expectOneLine } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { randomSecret } from '../../support/secretLeaks.js';

const secret = randomSecret();
const role = `clerk_${randomBytes(6).toString('hex')}`;
let database: RadiusDatabase;
let cli: CliFixture;

beforeAll(async () => {
  database = await makeRadiusPostgres();
  cli = await makeCliFixture({ SECRET: database.credentials.password, CLERK: secret });
});
afterAll(async () => {
  await cli.remove();
  await database.query(`drop owned by ${role}; drop role ${role}`);
  await database.drop();
});

const add = (name: string, ...options: string[]) =>
  cli.voucherd(
    ...[
      'controller',
      'add',
      '--force',
      '--name',
      name,
      '--kind',
      'radius-sql',
      '--url',
      database.url,
      ...options,
    ],
  );
const account = () => ['--username', database.credentials.username, '--password-env', 'SECRET'];
const testOf = (name: string) => cli.voucherd('controller', 'test', name);

test('a FreeRADIUS server is added, and a test prints what it lacks', async () => {
  expect((await add('Hotel', ...account())).status).toBe(0);
  const { status, out } = await testOf('Hotel');
  expect(status).toBe(0);
  expect(out).toContain('PostgreSQL');
  for (const part of [
    'radacct is empty',
    'The table nas is empty',
    'create index concurrently on radacct (username);',
    '/etc/freeradius/3.0/policy.d/voucherd',
    '&Tmp-String-9 := "voucherd"',
    'in the section authorize, add this line above "-sql" or "sql".',
  ])
    expect(out).toContain(part);
});

test('what is done is not printed again', async () => {
  await database.query(
    `create index on radacct (username); insert into nas (nasname, secret) values ('127.0.0.1', 'x');
     insert into voucherd_vouchers values ('1234567890', '', '', '', 1, 1, 0, 0, 0, 0);
     insert into radacct (username, nasipaddress) values ('1234567890', '127.0.0.1')`,
  );
  const { status, out } = await testOf('Hotel');
  expect(status).toBe(0);
  for (const part of ['radacct', 'nas is empty', 'policy.d']) expect(out).not.toContain(part);
});

test('tables and columns that are missing are named', async () => {
  await database.query(
    'alter table radreply rename to elsewhere; alter table nas rename column secret to pin',
  );
  try {
    const { status, out } = await testOf('Hotel');
    expect(status).toBe(1);
    expect(out).toContain("missing in FreeRADIUS' schema: radreply, nas.secret");
  } finally {
    await database.query(
      'alter table elsewhere rename to radreply; alter table nas rename column pin to secret',
    );
  }
});

test('a table of another schema does not stand for one that is missing', async () => {
  await database.query('create schema other; alter table radreply set schema other');
  try {
    expect((await testOf('Hotel')).out).toContain("missing in FreeRADIUS' schema: radreply");
  } finally {
    await database.query('alter table other.radreply set schema public');
  }
});

test('a user of the database who may only read fails the test', async () => {
  await database.query(
    `create role ${role} login password '${secret}'; grant select on all tables in schema public to ${role}`,
  );
  await add('Lesend', '--username', role, '--password-env', 'CLERK');
  const { status, out } = await testOf('Lesend');
  expect(status).toBe(1);
  expect(out).toMatch(/may not|lacks|right/);
  expect(await database.query('select 1 from radcheck')).toEqual([]);
});

test('options are checked: SQLite, --tls, --rates and the port', async () => {
  expectOneLine(
    await cli.voucherd(
      ...[
        'controller',
        'add',
        '--force',
        '--name',
        'Datei',
        '--kind',
        'radius-sql',
        '--url',
        'sqlite:/radius.db',
      ],
      ...account(),
    ),
    /SQLite is not supported/,
  );
  expectOneLine(await add('Halb', ...account(), '--tls', 'maybe'), /tls.*off or system/);
  expectOneLine(await add('Halb', ...account(), '--rates', 'some'), /rates.*yes or no/);
  expectOneLine(await add('Halb', ...account(), '--disconnect-port', '0'), /--disconnect-port/);
  expect((await add('Ohne', ...account(), '--rates', 'no', '--disconnect-port', '1700')).status).toBe(0);
  expect((await testOf('Ohne')).status).toBe(0);
});

test('no secret is printed or can be read in the database', async () => {
  expect(await cli.leaked([secret])).toEqual([]);
});
