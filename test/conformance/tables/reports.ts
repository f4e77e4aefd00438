import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { makeReports, type ReportQuery } from '../../../src/reports/reports.js';
import { makeSites } from '../../../src/sites/sites.js';
import { insertRows } from '../../../src/database/transactions.js';
import { stateAt, type RecordedState } from '../../../src/vouchers/state.js';
import { addSite } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

interface Row {
  readonly site_id: number;
  readonly profile_id: number | null;
  readonly actor_name: string | null;
  readonly source: string | null;
  readonly status: RecordedState;
  readonly used_count: number;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

const zone = 'Europe/Berlin';
/** Clocks change in the nights before 29 March and 25 October 2026. */
const spring = Date.parse('2026-03-27T20:00:00Z');
const autumn = Date.parse('2026-10-23T20:00:00Z');
const now = Date.parse('2026-11-14T09:30:00Z');
const hourMs = 3_600_000;

/** The same numbers each time. */
const makeNumbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const countBy = (rows: readonly Row[], keyOf: (row: Row) => string): Record<string, [number, number]> => {
  const counts: Record<string, [number, number]> = {};
  for (const row of rows) {
    const [created, used] = counts[keyOf(row)] ?? [0, 0];
    counts[keyOf(row)] = [created + 1, used + (row.used_count > 0 ? 1 : 0)];
  }
  return counts;
};

const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
const stateOf = (row: Row): string =>
  stateAt(
    {
      status: row.status,
      usedCount: row.used_count,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
    },
    now,
  );

/** Reports read only. */
const noWriter = { replace: () => Promise.reject(new Error('nothing is sealed here')) };

export const reportConformance = (shared: () => Shared): void => {
  const everyone = { role: 'admin', siteIds: [] } as const;
  const { signal } = new AbortController();

  test('a report equals a count of the rows, also of vouchers that retention has removed since', async () => {
    const { tables, database } = shared();
    const places = [await addSite(tables, 'Nord'), await addSite(tables, 'Süd')];
    const siteIds = places.map(({ siteId }) => siteId);
    const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0, siteIds: null };
    const audit = {
      at: now,
      actorKind: 'system',
      actorName: null,
      address: null,
      action: 'profile.add',
      detail: {},
    } as const;
    const profileId = Number(
      await tables.profiles.add({ ...limits, name: 'Bericht', nameKey: 'bericht' }, audit),
    );
    const pick = makeNumbers(7);
    const rows = Array.from({ length: 2500 }, (_, index) => {
      const place = places[pick(2)]!;
      const created =
        (index % 2 === 0 ? spring : autumn) + pick(96) * hourMs + pick(4) * 900_000 + pick(900_000);
      const status = (['valid', 'used', 'expired'] as const)[pick(3)]!;
      const usedCount = status === 'used' ? 1 : pick(2);
      return {
        site_id: place.siteId,
        controller_id: place.controllerId,
        code: `report ${String(index)}`,
        name: `report ${String(index)}`,
        words: '[]',
        max_uses: 1,
        expire_minutes: 60,
        status,
        used_count: usedCount,
        created_at: created,
        expires_at: [null, created + hourMs, now + 4 * 60_000, now + 6 * 60_000][pick(4)]!,
        revoked_at: status === 'expired' && pick(4) === 0 ? created + 1000 : null,
        profile_id: pick(2) === 0 ? profileId : null,
        actor_kind: pick(3) === 0 ? null : 'user',
        actor_name: ['Anna', 'Jonas', null][pick(3)]!,
        source: ['Anna', 'Früher', null][pick(3)]!,
      };
    });
    await insertRows(database.write, 'vouchers', rows);

    const reports = makeReports({
      reports: tables.reports,
      profiles: tables.profiles,
      revisions: tables.revisions,
      sites: makeSites(tables, { now: () => now }, noWriter),
      clock: { now: () => now },
    });
    const expectReport = async (
      query: ReportQuery,
      expected: readonly (typeof rows)[number][],
    ): Promise<void> => {
      const report = await reports.get(query, everyone, signal);
      const pairs = <T extends { created: number; used: number }>(
        items: readonly T[],
        keyOf: (item: T) => unknown,
      ) =>
        Object.fromEntries(
          items
            .filter(({ created }) => created > 0)
            .map((item) => [String(keyOf(item)), [item.created, item.used]]),
        );
      expect({
        query,
        created: report.created,
        days: pairs(report.days, ({ date }) => date),
        sites: pairs(report.sites, ({ id }) => id),
        profiles: pairs(report.profiles, ({ id }) => id),
        states: pairs(report.states, ({ state }) => state),
        creators: pairs(report.creators ?? [], ({ name, kind }) => `${name} ${kind ?? ''}`),
      }).toEqual({
        query,
        created: expected.length,
        days: countBy(expected, (row) => dayIn.format(row.created_at)),
        sites: countBy(expected, (row) => String(row.site_id)),
        profiles: countBy(expected, (row) => String(row.profile_id)),
        states: countBy(expected, stateOf),
        creators: countBy(
          expected,
          (row) =>
            `${row.actor_name ?? row.source ?? ''} ${(row as { actor_kind?: string }).actor_kind ?? ''}`,
        ),
      });
    };
    /** Each day of an export is read on its own, so weeks are exported and not the year. */
    const expectExport = async (query: ReportQuery, created: number): Promise<void> => {
      const file = await text(await reports.exportCsv(query, everyone, 'en', AbortSignal.timeout(600_000)));
      const lines = file
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.slice(1, -1).split('","'));
      const sum = lines.reduce((all, cells) => all + Number(cells[5]), 0);
      const groups = new Set(lines.map((cells) => cells.slice(0, 5).join())).size;
      expect({ query, created: sum, groups }).toEqual({ query, created, groups: lines.length });
    };

    const period = (from: string, to: string) => ({ from, to, timeZone: zone });
    const wholeYear = period('2026-01-01', '2026-12-31');
    const [springWeek, autumnWeek] = [period('2026-03-26', '2026-04-01'), period('2026-10-22', '2026-10-28')];
    const [first, second] = siteIds as [number, number];
    const cases: [Partial<ReportQuery>, (row: Row) => boolean][] = [
      [{ siteId: first }, ({ site_id }) => site_id === first],
      [{ siteId: second }, ({ site_id }) => site_id === second],
      [{ profileId }, ({ profile_id }) => profile_id === profileId],
      [
        { siteId: second, state: 'expired' },
        (row) => row.site_id === second && ['expired', 'gone'].includes(stateOf(row)),
      ],
      [
        { siteId: second, createdBy: 'Früher' },
        ({ site_id, actor_name, source }) => site_id === second && actor_name === null && source === 'Früher',
      ],
    ];
    const check = async (): Promise<void> => {
      for (const [filter, isCounted] of cases) {
        const counted = rows.filter(isCounted);
        await expectReport({ ...wholeYear, ...filter }, counted);
        const inAutumn = counted.filter(({ created_at }) => created_at >= autumn);
        await expectExport({ ...autumnWeek, ...filter }, inAutumn.length);
      }
      const ofFirst = rows.filter(({ site_id }) => site_id === first);
      const inSpring = ofFirst.filter(({ created_at }) => created_at < autumn);
      await expectExport({ ...springWeek, siteId: first }, inSpring.length);
      const changing = ofFirst.filter(({ created_at }) => dayIn.format(created_at) === '2026-10-25');
      await expectReport({ ...period('2026-10-25', '2026-10-25'), siteId: first }, changing);
    };
    await check();

    // Two batches for each site, the second of which adds to counts of the first.
    const bounds = { endedBefore: now, createdBefore: now };
    for (const siteId of siteIds) {
      expect((await tables.endedVouchers.remove(siteId, bounds, 60)).vouchers).toBe(60);
      expect((await tables.endedVouchers.remove(siteId, bounds, 500)).vouchers).toBeGreaterThan(60);
    }
    expect(await tables.vouchers.count(siteIds)).toBeLessThan(rows.length);
    await check();
  });

  test('staff see their sites and not who created vouchers; a period is a day to two years', async () => {
    const { tables } = shared();
    const [own] = [await addSite(tables, 'Eigener'), await addSite(tables, 'Anderer')];
    const reports = makeReports({
      reports: tables.reports,
      profiles: tables.profiles,
      revisions: tables.revisions,
      sites: makeSites(tables, { now: () => now }, noWriter),
      clock: { now: () => now },
    });
    const staff = { id: 2, role: 'staff', siteIds: [own.siteId] } as const;
    const period = { from: '2026-01-01', to: '2026-01-31', timeZone: zone };
    const report = await reports.get(period, staff, signal);
    expect(report).toMatchObject({ created: 0, creators: null });
    expect(report.days).toHaveLength(31);
    expect(await reports.get({ ...period, createdBy: 'Anna' }, staff, signal)).toMatchObject({ created: 0 });
    for (const days of [
      { from: '2026-01-02', to: '2026-01-01' },
      { from: '2024-01-01', to: '2026-01-01' },
    ])
      await expect(reports.get({ ...period, ...days }, everyone, signal)).rejects.toMatchObject({
        code: 'period-invalid',
      });
    expect(
      (await reports.get({ ...period, from: '2024-01-01', to: '2025-12-31' }, everyone, signal)).days,
    ).toHaveLength(731);
    await expect(
      reports.get({ ...period, timeZone: 'Mars/Olympus' }, everyone, signal),
    ).rejects.toMatchObject({
      code: 'time-zone-unknown',
    });
  });

  test('a report that several wait for is made once, and not when nobody waits for it any more', async () => {
    const { tables } = shared();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const made: string[] = [];
    const reports = makeReports({
      reports: {
        ...tables.reports,
        removed: async function* (counted) {
          made.push(String(made.length));
          await released;
          yield* tables.reports.removed(counted);
        },
      },
      profiles: tables.profiles,
      revisions: tables.revisions,
      sites: makeSites(tables, { now: () => now }, noWriter),
      clock: { now: () => now },
    });
    const period = { from: '2026-01-01', to: '2026-01-31', timeZone: zone };
    const left = new AbortController();
    const impatient = Promise.allSettled(
      Array.from({ length: 3 }, () => reports.get(period, everyone, left.signal)),
    );
    await until('one is made', () => made.length === 1);
    const others = [reports.get(period, everyone, signal), reports.get(period, everyone, signal)];
    const another = reports.get({ ...period, to: '2026-01-30' }, everyone, signal);
    await until('another one does not wait for it', () => made.length === 2);
    left.abort(new Error('left'));
    release();
    const [first, second] = await Promise.all(others);
    expect(second).toBe(first);
    expect(await another).toMatchObject({ days: { length: 30 } });
    expect((await impatient).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    // The one that had begun ends where it is, and those that waited do not begin.
    expect(made).toHaveLength(3);
  });
};
