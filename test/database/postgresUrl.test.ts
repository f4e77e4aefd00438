import { expect, test } from '@jest/globals';
import pg from 'pg';
import { parsePostgresUrl } from '../../src/database/postgresUrl.js';
import { testCases } from '../support/cases.js';

testCases<[string, [string, string]]>([
  ['postgres://u:p@one/d', ['one', '5432']],
  ['postgresql://u:p@one:5433/d?target_session_attrs=read-write', ['one', '5433']],
  ['postgres://u:p@[fd00::1]:5433/d', ['fd00::1', '5433']],
  ['postgres://u:p@[::1]/d', ['::1', '5432']],
  ['postgres://u:p@/d?host=one&port=5433', ['one', '5433']],
  ['postgres://u:p@/d?host=/run/a', ['/run/a', '5432']],
  ['postgres://u:p,w@one/d', ['one', '5432']],
])('the driver connects to the server of an address', (url, [host, port]) => {
  const parsed = parsePostgresUrl(url);
  expect(parsed).toMatchObject({ host, port });
  const client = new pg.Client({ connectionString: parsed.connectionString });
  expect([client.host, client.port]).toEqual([host, Number(port)]);
});

test('user, password, database and settings are those of the address', () => {
  const url = 'postgres://m%C3%BCller:p%40s%2Fs,w@[::1]:1/d%20b?sslmode=no-verify';
  const { connectionString, user, database } = parsePostgresUrl(url);
  expect([user, database]).toEqual(['müller', 'd b']);
  expect(new pg.Client({ connectionString })).toMatchObject({
    user: 'müller',
    password: 'p@s/s,w',
    database: 'd b',
    ssl: { rejectUnauthorized: false },
  });
});

test('an address that the driver understands is passed on as it is', () => {
  for (const url of ['postgres://u:p@h/d', 'postgres:///d', 'postgres://u@/d?host=/run/postgresql'])
    expect(parsePostgresUrl(url).connectionString).toBe(url);
});

testCases([
  ['postgres://u:geheim@one,two/d', /with one host: for several servers name an address that leads to/],
  ['postgres://u:geheim@one:5432,two:5433/d', /with one host/],
  ['postgres://u:geheim@/d?host=one,two', /with one host/],
  ['postgres://u:geheim@one/d?port=1,2', /with one host/],
  ['postgres://u:geheim@one:0/d', /a port from 1 to 65535/],
  ['postgres://u:geheim@one:70000/d', /a port from 1 to 65535/],
  ['postgres://u:geheim@one:x/d', /^postgres:/],
  ['postgres://u:geheim@t wo:x/d', /^postgres:/],
  ['mysql://u:geheim@one/d', /^postgres:/],
])('any other address is refused without showing the password', (url, says) => {
  const refused = (): unknown => parsePostgresUrl(url);
  expect(refused).toThrow(says);
  expect(refused).not.toThrow(/geheim/);
});
