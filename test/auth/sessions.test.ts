import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sessionBoundsAt } from '../../src/auth/sessions.js';
import type { User } from '../../src/users/users.js';
import {
  goodPassword,
  makeAuthFixture,
  peopleDatabases,
  someActor,
  someClient,
  someUser,
  type AuthFixture,
  type AuthProcess,
} from '../support/authFixture.js';
import { statementsOf } from '../support/queryLog.js';
import { until } from '../support/until.js';

const [minuteMs, hourMs] = [60_000, 3_600_000];

describe.each(peopleDatabases)('sessions on %s', (_, make) => {
  let auth: AuthFixture;
  let other: AuthProcess;
  beforeAll(async () => {
    auth = await makeAuthFixture(make);
    other = auth.open();
    await auth.users.create(someUser({ role: 'admin' }), someActor);
  });
  afterAll(() => auth.remove());

  const begin = async (user: Pick<User, 'id'>, browser = 'Mozilla/5.0', secondFactor = false) => {
    const stored = await auth.tables.users.find(user.id);
    return (await auth.sessions.begin(stored!, { address: '198.51.100.7', browser }, { secondFactor }))!
      .token;
  };
  const create = (): Promise<User> => auth.users.create(someUser(), someActor);

  test('are found by their token, which is stored only as a hash', async () => {
    const user = await create();
    const token = await begin(user, 'Mozilla/5.0 (Ubuntu)', true);
    expect(token).toMatch(/^[\w-]{43}$/);
    const found = await auth.sessions.find(token);
    expect(found).toEqual({
      user: { ...user, lastSignInAt: auth.clock.now() },
      session: {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdAt: auth.clock.now(),
        lastUsedAt: auth.clock.now(),
        address: '198.51.100.7',
        browser: 'Mozilla/5.0 (Ubuntu)',
        secondFactor: true,
      },
    });
    expect(await auth.sessions.list(user.id)).toEqual([found!.session]);
    expect(JSON.stringify(await auth.database.read('sessions').select())).not.toContain(token);
  });

  test('are not found by another token', async () => {
    for (const token of ['', 'x', 'x'.repeat(43), 'x'.repeat(65_536), '\0'.repeat(43), 'ä'.repeat(43)])
      expect([token, await auth.sessions.find(token)]).toEqual([token, undefined]);
  });

  test('note of a browser and an address what fits, without control characters', async () => {
    const user = await create();
    await auth.sessions.begin(
      (await auth.tables.users.find(user.id))!,
      { address: `1.2.3.4\0${'x'.repeat(65_536)}`, browser: `\0Browser\u001B[2J\uD800${'x'.repeat(65_536)}` },
      { secondFactor: false },
    );
    const [session] = await auth.sessions.list(user.id);
    expect(session?.browser).toMatch(/^Browser \[2J.x{280,300}$/);
    expect(session?.address).toMatch(/^1\.2\.3\.4 x{50,100}$/);
  });

  test('end after 12 hours without use, and each use counts', async () => {
    const [used, idle] = [await begin(await create()), await begin(await create())];
    for (let hours = 0; hours < 12; hours += 6) {
      await auth.clock.advance(6 * hourMs - 1);
      expect(await auth.sessions.find(used)).toBeDefined();
    }
    await auth.clock.advance(2);
    expect(await auth.sessions.find(used)).toBeDefined();
    expect(await auth.sessions.find(idle)).toBeUndefined();
  });

  test('end after 30 days, however much they are used', async () => {
    const user = await create();
    const token = await begin(user);
    for (let days = 0; days < 30; days += 0.5) {
      expect(await auth.sessions.find(token)).toBeDefined();
      await auth.clock.advance(12 * hourMs - 1);
      // Each of the 60 steps was a millisecond short.
      if (days === 29.5) await auth.clock.advance(60);
    }
    expect(await auth.sessions.find(token)).toBeUndefined();
    expect(await auth.sessions.list(user.id)).toEqual([]);
  });

  test('that another process uses go on in this one', async () => {
    const token = await begin(await create());
    expect(await auth.sessions.find(token)).toBeDefined();
    await auth.clock.advance(11 * hourMs);
    expect(await other.sessions.find(token)).toBeDefined();
    await until('the other process has noted the use', async () => {
      const noted = await auth.database.read('sessions').max({ at: 'last_used_at' });
      return noted[0]?.['at'] === auth.clock.now();
    });
    await auth.clock.advance(11 * hourMs);
    expect(await auth.sessions.find(token)).toBeDefined();
  });

  test('are read from the database once, and their use is noted once a minute', async () => {
    const token = await begin(await create());
    await auth.clock.advance(1000);
    await auth.sessions.find(token);
    expect(await statementsOf(auth.database, () => auth.sessions.find(token))).toEqual([]);
    await auth.clock.advance(minuteMs);
    const statements = await statementsOf(auth.database, async () => {
      for (let uses = 0; uses < 20; uses += 1) await auth.sessions.find(token);
    });
    expect(statements.filter((sql) => sql.startsWith('update'))).toHaveLength(1);
    expect(statements.filter((sql) => sql.includes('revisions'))).toHaveLength(1);
    expect(statements).toHaveLength(2);
  });

  test.each([
    [
      'one session is ended',
      async (user: User, token: string) => {
        const { session } = (await auth.sessions.find(token))!;
        expect(await auth.sessions.end(user, session.id, someActor)).toBe(true);
        expect(await auth.sessions.end(user, session.id, someActor)).toBe(false);
      },
    ],
    ['all are ended', (user: User) => auth.sessions.endAll(user, someActor)],
    ['the role is changed', ({ id }: User) => auth.users.setRole(id, 'admin', someActor)],
    ['the user is disabled', ({ id }: User) => auth.users.disable(id, someActor)],
    ['the password is changed', ({ id }: User) => auth.users.setPassword(id, goodPassword, someActor)],
    ['the user is removed', ({ id }: User) => auth.users.remove(id, someActor)],
  ])('are refused here at once, and by another process within a second, when %s', async (_case, change) => {
    const user = await create();
    const [token, stays] = [await begin(user), await begin(await create())];
    expect(await other.sessions.find(token)).toBeDefined();
    await change(user, token);
    expect(await auth.sessions.find(token)).toBeUndefined();
    await auth.clock.advance(1000);
    expect(await other.sessions.find(token)).toBeUndefined();
    expect(await other.sessions.find(stays)).toBeDefined();
  });

  test('show another process other sites within a second', async () => {
    const user = await create();
    const token = await begin(user);
    expect((await other.sessions.find(token))?.user.role).toBe('staff');
    await auth.database.write('users').where({ id: user.id }).update({ language: 'en' });
    await auth.users.setSites(user.id, [], someActor);
    await auth.clock.advance(1000);
    expect((await other.sessions.find(token))?.user.language).toBe('en');
  });

  test('of somebody else are not ended', async () => {
    const [anna, bert] = [await create(), await create()];
    const token = await begin(anna);
    const { session } = (await auth.sessions.find(token))!;
    expect(await auth.sessions.end(bert, session.id, someActor)).toBe(false);
    expect(await auth.sessions.find(token)).toBeDefined();
  });

  test('do not begin for a user who was changed or disabled since they were read', async () => {
    const [changed, disabled] = [await create(), await create()];
    const stored = await Promise.all([changed, disabled].map(({ id }) => auth.tables.users.find(id)));
    await auth.users.setRole(changed.id, 'admin', someActor);
    await other.users.disable(disabled.id, someActor);
    for (const user of stored) {
      expect(await auth.sessions.begin(user!, someClient(), { secondFactor: false })).toBeUndefined();
      expect(await auth.sessions.list(user!.id)).toEqual([]);
    }
  });

  test('are at most 50 of one user: the one that was not used for the longest time ends', async () => {
    const user = await create();
    const first = await begin(user);
    await auth.clock.advance(minuteMs);
    const second = await begin(user);
    for (let count = 2; count < 51; count += 1) await begin(user);
    expect(await auth.sessions.list(user.id)).toHaveLength(50);
    expect(await auth.sessions.find(first)).toBeUndefined();
    expect(await auth.sessions.find(second)).toBeDefined();
  });

  test('that were last used far ahead, before the clock was set back, have ended', async () => {
    const user = await create();
    const [little, much] = [await begin(user), await begin(user)];
    await auth.clock.advance(-hourMs);
    expect(await auth.sessions.find(little)).toBeDefined();
    await auth.clock.advance(-365 * 24 * hourMs);
    expect(await auth.sessions.find(much)).toBeUndefined();
    expect(await auth.sessions.list(user.id)).toEqual([]);
    await auth.tables.sessions.removeEnded(sessionBoundsAt(auth.clock.now()));
    expect(await auth.tables.sessions.ofUser(user.id)).toEqual([]);
  });

  test('that have ended are removed from the database', async () => {
    const user = await create();
    await begin(user);
    await auth.clock.advance(12 * hourMs);
    const token = await begin(await create());
    await auth.tables.sessions.removeEnded(sessionBoundsAt(auth.clock.now()));
    expect(await auth.tables.sessions.ofUser(user.id)).toEqual([]);
    expect(await auth.sessions.find(token)).toBeDefined();
  });
});
