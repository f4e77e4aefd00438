import { secondsColumn, type SourceRow, type SourceRows } from './sourceRows.js';

/**
 * Reads the tool's times, which are in two zones. All results
 * are milliseconds since 1970; null where there is none.
 */
export interface SourceTimes {
  /** A time that MySQL wrote, so it is right. */
  fromMysql(row: SourceRow, column: string): number | null;
  /** A time that PHP wrote: the clock of its zone, in a session of the server's zone. */
  fromPhp(row: SourceRow, column: string): number | null;
}

interface TimeZones {
  /** The zone of the database server. Only needed for dumps. */
  readonly server: string;
  /** The zone in `config.php`. */
  readonly php: string;
}

export const makeSourceTimes = ({ shownIn }: Pick<SourceRows, 'shownIn'>, zones: TimeZones): SourceTimes => {
  const toInstant = (shown: number): number =>
    shownIn === 'UTC' ? shown : fromWallClock(shown, zones.server);
  /** What the server's zone showed when PHP wrote it. */
  const toServerClock = (shown: number): number =>
    shownIn === 'UTC' ? shown + offsetMs(zones.server, shown) : shown;
  return {
    fromMysql: (row, column) => {
      const seconds = row[secondsColumn(column)];
      if (seconds != null) return Number(seconds) > 0 ? Math.round(Number(seconds) * 1000) : null;
      const shown = parseClock(row[column]);
      return shown === null ? null : toInstant(shown);
    },
    fromPhp: (row, column) => {
      const shown = parseClock(row[column]);
      return shown === null ? null : fromWallClock(toServerClock(shown), zones.php);
    },
  };
};

const clock = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)?$/;

/**
 * `2026-06-01 10:20:30` as if it were UTC. MySQL writes
 * `0000-00-00 00:00:00` for a time that it could not read.
 */
const parseClock = (text: string | null | undefined): number | null => {
  const [, year, month, day, hour, minute, second] = (clock.exec(text ?? '') ?? []).map(Number);
  if (!year || !month || !day) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

/** The instant at which a clock of the zone shows this. Of an hour that is repeated it takes the first. */
const fromWallClock = (shown: number, zone: string): number => {
  const early = shown - offsetMs(zone, shown - dayMs);
  const late = shown - offsetMs(zone, shown + dayMs);
  const candidates = [early, late].filter((instant) => instant + offsetMs(zone, instant) === shown);
  // In the hour that a clock change skips, neither fits.
  return candidates.length > 0 ? Math.min(...candidates) : early;
};

const dayMs = 24 * 60 * 60 * 1000;
const quarterMs = 15 * 60 * 1000;
const offsetPattern = /^([+-])(\d\d):(\d\d)$/;

/** Is this the name of a zone, such as `Europe/Berlin`, or an offset, such as `+02:00`? */
export const isTimeZone = (zone: string): boolean => {
  if (offsetPattern.test(zone)) return true;
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
};

const formatters = new Map<string, Intl.DateTimeFormat>();
const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formatters.set(timeZone, formatter);
  return formatter;
};

const offsets = new Map<string, number>();

/** By how much clocks of the zone are ahead of UTC. It changes at full quarters of an hour only. */
const offsetMs = (zone: string, instant: number): number => {
  const quarter = Math.floor(instant / quarterMs) * quarterMs;
  const key = `${zone} ${String(quarter)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const name = offsetPattern.test(zone)
    ? zone
    : (
        formatterOf(zone)
          .formatToParts(quarter)
          .find(({ type }) => type === 'timeZoneName')?.value ?? ''
      ).slice(3);
  const [, sign, hours = 0, minutes = 0] = offsetPattern.exec(name) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  offsets.set(key, offset);
  return offset;
};
