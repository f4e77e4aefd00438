import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanPeople } from '../../src/auth/cleanUp.js';
import type { User } from '../../src/users/users.js';
import {
  goodPassword,
  makePeopleFixture,
  peopleDatabases,
  someActor,
  someClient,
  someUser,
  type PeopleFixture,
  type PeopleProcess,
} from '../support/people.js';
import { statementsOf } from '../support/queryLog.js';
import { until } from '../support/until.js';

const [minuteMs, hourMs] = [60_000, 3_600_000];

describe.each(peopleDatabases)('sessions on %s', (_, make) => {
  let people: PeopleFixture;
  let other: PeopleProcess;
  beforeAll(async () => {
    people = await makePeopleFixture(make);
    other = people.open();
    await people.users.create(someUser({ role: 'admin' }), someActor);
  });
  afterAll(() => people.remove());

  const begin = async (user: Pick<User, 'id'>, browser = 'Mozilla/5.0', secondFactor = false) => {
    const stored = await people.tables.users.find(user.id);
    return (await people.sessions.begin(stored!, { address: '198.51.100.7', browser }, { secondFactor }))!
      .token;
  };
  const create = (): Promise<User> => people.users.create(someUser(), someActor);

  test('are found by their token, which is stored only as a hash', async () => {
    const user = await create();
    const token = await begin(user, 'Mozilla/5.0 (Ubuntu)', true);
    expect(token).toMatch(/^[\w-]{43}$/);
    const found = await people.sessions.find(token);
    expect(found).toEqual({
      user: { ...user, lastSignInAt: people.clock.now() },
      session: {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdAt: people.clock.now(),
        lastUsedAt: people.clock.now(),
        address: '198.51.100.7',
        browser: 'Mozilla/5.0 (Ubuntu)',
        secondFactor: true,
      },
    });
    expect(await people.sessions.list(user.id)).toEqual([found!.session]);
    expect(JSON.stringify(await people.database.read('sessions').select())).not.toContain(token);
  });

  test.each(['', 'x', 'x'.repeat(43), 'x'.repeat(65_536), '\0'.repeat(43), 'ä'.repeat(43)])(
    'are not found by %j',
    async (token) => {
      expect(await people.sessions.find(token)).toBeUndefined();
    },
  );

  test('note of a browser and an address what fits, without control characters', async () => {
    const user = await create();
    await people.sessions.begin(
      (await people.tables.users.find(user.id))!,
      { address: `1.2.3.4\0${'x'.repeat(65_536)}`, browser: `\0Browser\u001B[2J\uD800${'x'.repeat(65_536)}` },
      { secondFactor: false },
    );
    const [session] = await people.sessions.list(user.id);
    expect(session?.browser).toMatch(/^Browser \[2J.x{280,300}$/);
    expect(session?.address).toMatch(/^1\.2\.3\.4 x{50,100}$/);
  });

  test('end after 12 hours without use, and each use counts', async () => {
    const [used, idle] = [await begin(await create()), await begin(await create())];
    for (let hours = 0; hours < 12; hours += 6) {
      await people.clock.advance(6 * hourMs - 1);
      expect(await people.sessions.find(used)).toBeDefined();
    }
    await people.clock.advance(2);
    expect(await people.sessions.find(used)).toBeDefined();
    expect(await people.sessions.find(idle)).toBeUndefined();
  });

  test('end after 30 days, however much they are used', async () => {
    const user = await create();
    const token = await begin(user);
    for (let days = 0; days < 30; days += 0.5) {
      expect(await people.sessions.find(token)).toBeDefined();
      await people.clock.advance(12 * hourMs - 1);
      // Each of the 60 steps was a millisecond short.
      if (days === 29.5) await people.clock.advance(60);
    }
    expect(await people.sessions.find(token)).toBeUndefined();
    expect(await people.sessions.list(user.id)).toEqual([]);
  });

  test('that another process uses go on in this one', async () => {
    const token = await begin(await create());
    expect(await people.sessions.find(token)).toBeDefined();
    await people.clock.advance(11 * hourMs);
    expect(await other.sessions.find(token)).toBeDefined();
    await until('the other process has noted the use', async () => {
      const noted = await people.database.read('sessions').max({ at: 'last_used_at' });
      return noted[0]?.['at'] === people.clock.now();
    });
    await people.clock.advance(11 * hourMs);
    expect(await people.sessions.find(token)).toBeDefined();
  });

  test('are read from the database once, and their use is noted once a minute', async () => {
    const token = await begin(await create());
    await people.clock.advance(1000);
    await people.sessions.find(token);
    expect(await statementsOf(people.database, () => people.sessions.find(token))).toEqual([]);
    await people.clock.advance(minuteMs);
    const statements = await statementsOf(people.database, async () => {
      for (let uses = 0; uses < 20; uses += 1) await people.sessions.find(token);
    });
    expect(statements.filter((sql) => sql.startsWith('update'))).toHaveLength(1);
    expect(statements.filter((sql) => sql.includes('revisions'))).toHaveLength(1);
    expect(statements).toHaveLength(2);
  });

  test.each([
    [
      'one session is ended',
      async (user: User, token: string) => {
        const { session } = (await people.sessions.find(token))!;
        expect(await people.sessions.end(user, session.id, someActor)).toBe(true);
        expect(await people.sessions.end(user, session.id, someActor)).toBe(false);
      },
    ],
    ['all are ended', (user: User) => people.sessions.endAll(user, someActor)],
    ['the role is changed', ({ id }: User) => people.users.setRole(id, 'admin', someActor)],
    ['the user is disabled', ({ id }: User) => people.users.disable(id, someActor)],
    ['the password is changed', ({ id }: User) => people.users.setPassword(id, goodPassword, someActor)],
    ['the user is removed', ({ id }: User) => people.users.remove(id, someActor)],
  ])('are refused here at once, and by another process within a second, when %s', async (_case, change) => {
    const user = await create();
    const [token, stays] = [await begin(user), await begin(await create())];
    expect(await other.sessions.find(token)).toBeDefined();
    await change(user, token);
    expect(await people.sessions.find(token)).toBeUndefined();
    await people.clock.advance(1000);
    expect(await other.sessions.find(token)).toBeUndefined();
    expect(await other.sessions.find(stays)).toBeDefined();
  });

  test('show another process other sites within a second', async () => {
    const user = await create();
    const token = await begin(user);
    expect((await other.sessions.find(token))?.user.role).toBe('staff');
    await people.database.write('users').where({ id: user.id }).update({ language: 'en' });
    await people.users.setSites(user.id, [], someActor);
    await people.clock.advance(1000);
    expect((await other.sessions.find(token))?.user.language).toBe('en');
  });

  test('of somebody else are not ended', async () => {
    const [anna, bert] = [await create(), await create()];
    const token = await begin(anna);
    const { session } = (await people.sessions.find(token))!;
    expect(await people.sessions.end(bert, session.id, someActor)).toBe(false);
    expect(await people.sessions.find(token)).toBeDefined();
  });

  test('do not begin for a user who was changed or disabled since they were read', async () => {
    const [changed, disabled] = [await create(), await create()];
    const stored = await Promise.all([changed, disabled].map(({ id }) => people.tables.users.find(id)));
    await people.users.setRole(changed.id, 'admin', someActor);
    await other.users.disable(disabled.id, someActor);
    for (const user of stored) {
      expect(await people.sessions.begin(user!, someClient(), { secondFactor: false })).toBeUndefined();
      expect(await people.sessions.list(user!.id)).toEqual([]);
    }
  });

  test('are at most 50 of one user: the one that was not used for the longest time ends', async () => {
    const user = await create();
    const first = await begin(user);
    await people.clock.advance(minuteMs);
    const second = await begin(user);
    for (let count = 2; count < 51; count += 1) await begin(user);
    expect(await people.sessions.list(user.id)).toHaveLength(50);
    expect(await people.sessions.find(first)).toBeUndefined();
    expect(await people.sessions.find(second)).toBeDefined();
  });

  test('that were last used far ahead, before the clock was set back, have ended', async () => {
    const user = await create();
    const [little, much] = [await begin(user), await begin(user)];
    await people.clock.advance(-hourMs);
    expect(await people.sessions.find(little)).toBeDefined();
    await people.clock.advance(-365 * 24 * hourMs);
    expect(await people.sessions.find(much)).toBeUndefined();
    expect(await people.sessions.list(user.id)).toEqual([]);
    await cleanPeople(people.database, people.tables, { auditDays: 400, now: people.clock.now() });
    expect(await people.tables.sessions.ofUser(user.id)).toEqual([]);
  });

  test('that have ended are removed from the database', async () => {
    const user = await create();
    await begin(user);
    await people.clock.advance(12 * hourMs);
    const token = await begin(await create());
    await cleanPeople(people.database, people.tables, { auditDays: 400, now: people.clock.now() });
    expect(await people.tables.sessions.ofUser(user.id)).toEqual([]);
    expect(await people.sessions.find(token)).toBeDefined();
  });
});
