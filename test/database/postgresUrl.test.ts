import { expect, test } from '@jest/globals';
import pg from 'pg';
import { parsePostgresUrl } from '../../src/database/postgresUrl.js';
import { testCases } from '../support/cases.js';

/** Where the driver connects to. */
const targets = (url: string): [string, number][] =>
  parsePostgresUrl(url).hosts.map(({ connectionString }) => {
    const { host, port } = new pg.Client({ connectionString });
    return [host, port];
  });

testCases<[string, [string, number][]]>([
  [
    'postgres://u:p@one:5432,two:5433/d',
    [
      ['one', 5432],
      ['two', 5433],
    ],
  ],
  [
    'postgresql://u:p@one,two/d?target_session_attrs=read-write',
    [
      ['one', 5432],
      ['two', 5432],
    ],
  ],
  [
    'postgres://u:p@[fd00::1]:5433,[::1],10.0.0.5:1/d',
    [
      ['fd00::1', 5433],
      ['::1', 5432],
      ['10.0.0.5', 1],
    ],
  ],
  [
    'postgres://u:p@/d?host=one,two&port=5433',
    [
      ['one', 5433],
      ['two', 5433],
    ],
  ],
  [
    'postgres://u:p@/d?host=one,two&port=5433,5434',
    [
      ['one', 5433],
      ['two', 5434],
    ],
  ],
  [
    'postgres://u:p@/d?host=/run/a,/run/b&target_session_attrs=primary',
    [
      ['/run/a', 5432],
      ['/run/b', 5432],
    ],
  ],
  ['postgres://u:p@one:5433/d?target_session_attrs=any', [['one', 5433]]],
])('the servers of an address are tried in their order', (url, expected) => {
  expect(targets(url)).toEqual(expected);
});

test('user, password, database and settings are those of all servers', () => {
  const url = 'postgres://m%C3%BCller:p%40s%2Fs,w@one:1,two:2/d%20b?sslmode=no-verify';
  const { hosts, user, database } = parsePostgresUrl(url);
  expect([user, database]).toEqual(['müller', 'd b']);
  for (const { connectionString } of hosts)
    expect(new pg.Client({ connectionString })).toMatchObject({
      user: 'müller',
      password: 'p@s/s,w',
      database: 'd b',
      ssl: { rejectUnauthorized: false },
    });
});

test('an address of one server is passed on as it is', () => {
  for (const url of ['postgres://u:p@h/d', 'postgres:///d', 'postgres://u@/d?host=/run/postgresql'])
    expect(parsePostgresUrl(url).hosts.map(({ connectionString }) => connectionString)).toEqual([url]);
});

testCases([
  [
    'postgres://u:geheim@one,two/d?target_session_attrs=standby',
    /target_session_attrs as one of any, read-write, primary/,
  ],
  ['postgres://u:geheim@one,two/d?target_session_attrs=read-only', /target_session_attrs/],
  ['postgres://u:geheim@one,two/d?target_session_attrs=x', /target_session_attrs/],
  ['postgres://u:geheim@/d?host=one,two,three&port=1,2', /as many ports as hosts/],
  ['postgres://u:geheim@one:0,two/d', /ports from 1 to 65535/],
  ['postgres://u:geheim@one:70000,two/d', /ports from 1 to 65535/],
  ['postgres://u:geheim@one:x,two/d', /^postgres:/],
  ['postgres://u:geheim@one,t wo:x/d', /^postgres:/],
  ['mysql://u:geheim@one/d', /^postgres:/],
])('any other address is refused without showing the password', (url, says) => {
  const refused = (): unknown => parsePostgresUrl(url);
  expect(refused).toThrow(says);
  expect(refused).not.toThrow(/geheim/);
});
