import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { listDaysFrom, type CalendarDay } from '../diagnostics/calendar.js';
import { makeUnavailable } from '../errors/httpProblem.js';
import { Refusal } from '../errors/problem.js';
import type { PageLanguage } from '../i18n/language.js';
import { headingOf } from '../i18n/messages.js';
import { limitConcurrencyByKey, QueueFull } from '../lib/concurrency.js';
import { streamCsv, type CsvColumns } from '../lib/csv.js';
import type { Clock } from '../lib/system.js';
import type { Revisions } from '../database/revisions.js';
import type { ProfileTable } from '../profiles/profileTable.js';
import type { SiteScope } from '../sites/siteScope.js';
import type { Sites } from '../sites/sites.js';
import type { VoucherState } from '../vouchers/state.js';
import { quarterMs } from '../vouchers/removedCountTable.js';
import { makeTally, type Report } from './tally.js';
import type { CountedVouchers, ReportTable, VoucherGroup } from './reportTable.js';

export type { Report };

/** Which vouchers a report is about: those created on these days, both included. */
export interface ReportQuery {
  /** Such as 2026-11-14. */
  readonly from: string;
  readonly to: string;
  /** Where days begin. */
  readonly timeZone: string;
  readonly siteId?: number | undefined;
  readonly profileId?: number | undefined;
  readonly state?: VoucherState | undefined;
  readonly createdBy?: string | undefined;
}

/** Reports of the sites that somebody may see. Both throw `Refusal`. */
export interface Reports {
  get(query: ReportQuery, viewer: SiteScope, signal: AbortSignal): Promise<Report>;
  /** A line for each day, site, creator, profile and state. The signal counts until the file begins. */
  exportCsv(
    query: ReportQuery,
    viewer: SiteScope,
    language: PageLanguage,
    signal: AbortSignal,
  ): Promise<Readable>;
}

interface ReportsDeps {
  readonly reports: ReportTable;
  readonly profiles: Pick<ProfileTable, 'all'>;
  readonly revisions: Pick<Revisions, 'total'>;
  readonly sites: Pick<Sites, 'list'>;
  readonly clock: Clock;
}

/** Two years, one of which may be a leap year. */
const maxDays = 731;
const dayMs = 86_400_000;
/** States change with time alone. */
const maxReportAgeMs = 60_000;
const maxCachedReports = 20;
/** How many users may wait for the same report, which is made once. */
const maxWaiting = 20;
/** Retention may remove vouchers while they are counted. */
const maxAttempts = 3;

export const makeReports = (deps: ReportsDeps): Reports => {
  const { reports, profiles, revisions, sites, clock } = deps;
  const limit = limitConcurrencyByKey(1, maxWaiting);
  const known = new LRUCache<string, Report>({
    max: maxCachedReports,
    ttl: maxReportAgeMs,
    perf: clock,
  });

  /** What is counted, and the names that are shown. Staff learn nothing of who created a voucher. */
  const prepare = async (query: ReportQuery, viewer: SiteScope) => {
    const days = toDays(query);
    const visible = await sites.list(viewer);
    const showsCreators = viewer.role !== 'staff';
    // To staff it looks as if nobody had created any.
    const hidesAll = query.createdBy !== undefined && !showsCreators;
    const shown = visible.filter(({ id }) => !hidesAll && (query.siteId ?? id) === id);
    const isAll = viewer.role === 'admin' && query.siteId === undefined;
    return {
      days,
      showsCreators,
      siteIds: isAll ? undefined : shown.map(({ id }) => id),
      siteNames: new Map(visible.map(({ id, name }) => [id, name])),
      profileNames: new Map((await profiles.all()).map(({ id, name }) => [id, name])),
    };
  };
  type Prepared = Awaited<ReturnType<typeof prepare>>;

  const matches = ({ profileId, state, createdBy }: ReportQuery, group: VoucherGroup): boolean =>
    (profileId === undefined || group.profileId === profileId) &&
    (state === undefined || group.state === state || (state === 'expired' && group.state === 'gone')) &&
    (createdBy === undefined || group.creator === createdBy);

  /**
   * Reads what a query counts. False when retention has removed some of it meanwhile: then it may be missing.
   */
  const readGroups = async (
    query: ReportQuery,
    counted: CountedVouchers,
    add: (group: VoucherGroup) => void,
  ): Promise<boolean> => {
    let removed = 0;
    for await (const groups of reports.removed(counted))
      for (const group of groups) {
        removed += group.created;
        if (matches(query, group)) add(group);
      }
    for await (const groups of reports.existing(counted))
      for (const group of groups) if (matches(query, group)) add(group);
    return (await reports.countRemoved(counted)) === removed;
  };

  const make = async (query: ReportQuery, prepared: Prepared, signal: AbortSignal): Promise<Report> => {
    const { days, siteIds } = prepared;
    const counted = { ...countedOf(days, siteIds, clock.now()), signal };
    for (let attempt = 1; ; attempt += 1) {
      const tally = makeTally(query, prepared);
      const isWhole = await readGroups(query, counted, tally.add);
      if (isWhole || attempt >= maxAttempts) return tally.report();
    }
  };

  /** A day at a time, so that little is in memory. */
  const readLines = async function* (
    query: ReportQuery,
    { days, siteIds, showsCreators, siteNames, profileNames }: Prepared,
    signal: AbortSignal,
  ): AsyncGenerator<ReportLine[], void, void> {
    for (const day of days) {
      const lines = new Map<string, ReportLine>();
      const add = ({ quarter: _, ...group }: VoucherGroup): void => {
        const { siteId, creator, profileId, state, created, used } = group;
        const by = showsCreators ? creator : '';
        const key = JSON.stringify([siteId, by, profileId, state]);
        const line = lines.get(key);
        lines.set(key, {
          date: day.date,
          site: siteNames.get(siteId) ?? String(siteId),
          creator: by,
          profile: profileNames.get(profileId) ?? '',
          state,
          created: (line?.created ?? 0) + created,
          used: (line?.used ?? 0) + used,
        });
      };
      const counted = { ...countedOf([day], siteIds, clock.now()), signal };
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        lines.clear();
        if (await readGroups(query, counted, add)) break;
      }
      if (lines.size > 0) yield [...lines.values()];
    }
  };

  return {
    get: async (query, viewer, signal) => {
      const prepared = await prepare(query, viewer);
      const names = [[...prepared.siteNames], [...prepared.profileNames]];
      const key = JSON.stringify([
        await revisions.total(),
        query,
        prepared.siteIds,
        prepared.showsCreators,
        names,
      ]);
      const findOrMake = async (): Promise<Report> => {
        // Its client may have left while it waited, and somebody else may have asked for the same.
        signal.throwIfAborted();
        const report = known.get(key) ?? (await make(query, prepared, signal));
        if (!known.has(key)) known.set(key, report);
        return report;
      };
      try {
        return known.get(key) ?? (await limit(key, findOrMake));
      } catch (error) {
        throw error instanceof QueueFull ? makeUnavailable() : error;
      }
    },
    exportCsv: async (query, viewer, language, signal) => {
      const prepared = await prepare(query, viewer);
      return streamCsv(
        reportColumns(prepared.showsCreators),
        language,
        (closed) => readLines(query, prepared, closed),
        signal,
      );
    },
  };
};

const countedOf = (
  days: readonly CalendarDay[],
  siteIds: readonly number[] | undefined,
  now: number,
): CountedVouchers => {
  const [from = 0, to = 0] = [days[0]?.from, days.at(-1)?.to];
  return { span: { from: toQuarter(from), to: toQuarter(to) }, siteIds, now };
};

const toQuarter = (at: number): number => Math.round(at / quarterMs) * quarterMs;

const toDays = ({ from, to, timeZone }: ReportQuery): CalendarDay[] => {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  if (Number.isNaN(count) || count < 1 || count > maxDays)
    throw new Refusal('period-invalid', 'a report covers one day to two years', 'invalid');
  return listDaysFrom(from, count, timeZone);
};

/** A line of a report's file. */
interface ReportLine {
  readonly date: string;
  readonly site: string;
  readonly creator: string;
  readonly profile: string;
  readonly state: VoucherState;
  readonly created: number;
  readonly used: number;
}

/** The columns of a report's file. */
const reportColumns = (showsCreators: boolean): CsvColumns<ReportLine> => [
  [headingOf('day'), ({ date }) => date],
  [headingOf('site'), ({ site }) => site],
  ...(showsCreators
    ? ([[headingOf('created-by'), ({ creator }) => creator]] satisfies CsvColumns<ReportLine>)
    : []),
  [headingOf('profile'), ({ profile }) => profile],
  [headingOf('state'), ({ state }) => state],
  [headingOf('created'), ({ created }) => String(created)],
  [headingOf('used'), ({ used }) => String(used)],
];
