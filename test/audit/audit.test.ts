import { buffer } from 'node:stream/consumers';
import { toCsvTime } from '../../src/lib/csv.js';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { NewAuditEntry } from '../../src/audit/auditTable.js';
import { inTransaction } from '../../src/database/transactions.js';
import { recordAudit } from '../../src/audit/auditTable.js';
import { makeAuthFixture, peopleDatabases, type AuthFixture } from '../support/authFixture.js';
import { forAllTests } from '../support/fixture.js';
import { someTime } from '../support/records.js';

const dayMs = 86_400_000;

const someEntry = (values: Partial<NewAuditEntry> = {}): Omit<NewAuditEntry, 'at'> => ({
  actorKind: 'user',
  actorName: 'Chefin',
  action: 'key.create',
  subjectKind: 'key',
  subjectId: '7',
  subjectName: 'Buchungssystem',
  address: '192.0.2.1',
  detail: {},
  ...values,
});

describe.each(peopleDatabases)('the audit log on %s', (_, make) => {
  const auth = forAllTests(() => makeAuthFixture(make), 'remove');
  beforeEach(async () => {
    await auth.database.write('audit_log').delete();
    await auth.clock.set(someTime);
  });
  const add = (values: Partial<NewAuditEntry>) => auth.audit.record(someEntry(values));
  const namesIn = async (...query: Parameters<AuthFixture['audit']['search']>) =>
    (await auth.audit.search(...query)).entries.map(({ subjectName }) => subjectName);
  const csv = async (filter = {}): Promise<string> => {
    const file = await auth.audit.exportCsv(filter, 'en', new AbortController().signal);
    // With its byte order mark, which text() would remove.
    return (await buffer(file)).toString();
  };

  test('keeps what was recorded', async () => {
    const detail = { text: 'Grüße "an" alle', count: 3, yes: true, none: null };
    await add({ detail });
    expect((await auth.audit.search({})).entries).toEqual([
      { ...someEntry({ detail }), id: expect.any(Number), at: someTime, count: 1 },
    ]);
  });

  test('shares the fate of the transaction that it is part of', async () => {
    const failing = inTransaction(auth.database.write, async (transaction) => {
      await recordAudit(transaction, { ...someEntry(), at: someTime });
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await namesIn({})).toEqual([]);
  });

  test('is read in pages, the newest first, each entry once, also when entries have the same time', async () => {
    for (let number = 1; number <= 25; number += 1) {
      if (number % 5 === 0) await auth.clock.advance(1);
      await add({ subjectName: String(number) });
    }
    const names: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await auth.audit.search({}, { limit: 4, ...(cursor !== undefined && { cursor }) });
      names.push(...page.entries.map(({ subjectName }) => subjectName));
      cursor = page.next ?? undefined;
      // What comes in the meantime does not move the pages.
      await add({ subjectName: 'new' });
    } while (cursor !== undefined);
    expect(names).toEqual(Array.from({ length: 25 }, (_each, index) => String(25 - index)));
  });

  test('has no page that a made-up cursor names', async () => {
    for (const cursor of ['', 'x', '1', '1-', '-1-1', '1-1-1', '1e3-1', "1-1'; --", '9'.repeat(40)]) {
      const found = await auth.audit.search({}, { cursor }).catch((error: unknown) => error);
      expect([cursor, found]).toMatchObject([cursor, { code: 'cursor-invalid' }]);
    }
  });

  test('is searched by time, actor, action and subject', async () => {
    await add({ subjectName: 'a', actorKind: 'command line', actorName: null });
    await auth.clock.advance(1000);
    await add({ subjectName: 'b', action: 'user.role', subjectKind: 'user', subjectId: '7' });
    await auth.clock.advance(1000);
    await add({ subjectName: 'c', actorName: 'Anna', subjectId: '8' });
    expect(await namesIn({ from: someTime + 1000 })).toEqual(['c', 'b']);
    expect(await namesIn({ to: someTime + 1000 })).toEqual(['a']);
    expect(await namesIn({ actorKind: 'command line' })).toEqual(['a']);
    expect(await namesIn({ actorKind: 'user', actorName: 'Anna' })).toEqual(['c']);
    expect(await namesIn({ actions: ['user.role', 'user.create'] })).toEqual(['b']);
    expect(await namesIn({ actions: [] })).toEqual([]);
    expect(await namesIn({ subjectKind: 'key', subjectId: '7' })).toEqual(['a']);
    expect(await namesIn({ actorName: "Anna' or 1=1 --" })).toEqual([]);
  });

  test('is exported as CSV with a byte order mark, CRLF and quotes around every cell', async () => {
    await add({ subjectName: 'Haus "Süd", 1. Stock\nlinks', detail: { from: 'staff', to: 'admin' } });
    expect(await csv()).toBe(
      '\uFEFF"time","actor kind","actor","action","subject kind","subject id","subject","address","count","detail"\r\n' +
        `"${toCsvTime('2026-11-14T09:30:00.000Z')}",` +
        '"user","Chefin","key.create","key","7","Haus ""Süd"", 1. Stock\nlinks","192.0.2.1","1",' +
        '"{""from"":""staff"",""to"":""admin""}"\r\n',
    );
  });

  test('is exported without formulas', async () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=cmd|"/C calc"!A0', '＝1'];
    for (const subjectName of formulas) await add({ subjectName });
    const [, ...cells] = (await csv()).slice(1).split(',"key","7",');
    expect(cells.toReversed().map((cell) => cell.slice(0, 2))).toEqual(formulas.map(() => `"'`));
  });

  test('is exported as a whole, however long, and only what the filter lets through', async () => {
    const rows = Array.from({ length: 1203 }, (_each, index) => ({
      at: someTime + (index >> 3),
      actor_kind: 'system',
      action: index % 3 === 0 ? 'key.create' : 'key.revoke',
      subject_name: String(index),
      detail: '{}',
      count: 1,
    }));
    for (let start = 0; start < rows.length; start += 60)
      await auth.database.write('audit_log').insert(rows.slice(start, start + 60));
    expect((await csv()).split('\r\n')).toHaveLength(1205);
    expect((await csv({ actions: ['key.create'] })).split('\r\n')).toHaveLength(403);
  });

  test('loses what is older than the days it is kept', async () => {
    await add({ subjectName: 'old' });
    await auth.clock.advance(1);
    await add({ subjectName: 'young' });
    await auth.clock.advance(400 * dayMs);
    await auth.tables.auditLog.removeBefore(auth.clock.now() - 400 * dayMs);
    expect(await namesIn({})).toEqual(['young']);
  });
});
