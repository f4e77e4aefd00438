import { asText } from '../parsing.js';

/** RouterOS writes truth as text. */
export const asFlag = (value: unknown): boolean => value === true || value === 'true' || value === 'yes';

const durationPattern =
  /^(?:(\d+)w)?(?:(\d+)d)?\s*(?:(\d+):(\d+):(\d+)|(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:\d+ms)?)$/;

/** A span of time in milliseconds: `1w2d3h`, `90m`, `08:00:00`, `1d 02:03:04`. 0 for anything else. */
export const parseDurationMs = (value: unknown): number => {
  const match = durationPattern.exec(asText(value)?.trim() ?? '');
  if (!match) return 0;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0, ...spelled] = match.slice(1).map(Number);
  const [spelledHours = 0, spelledMinutes = 0, spelledSeconds = 0] = spelled;
  const parts = [
    [weeks, 7 * 86_400],
    [days, 86_400],
    [hours || spelledHours, 3600],
    [minutes || spelledMinutes, 60],
    [seconds || spelledSeconds, 1],
  ] as const;
  return parts.reduce((sum, [count, each]) => sum + (count || 0) * each, 0) * 1000;
};

/** A rate in bit/s: `5000000`, `5000k`, `5M`. Undefined for anything else. */
export const parseRate = (value: unknown): number | undefined => {
  const match = /^(\d{1,15})([kMG]?)$/.exec(asText(value)?.trim() ?? '');
  if (!match) return undefined;
  const factors: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9 };
  return Number(match[1]) * (factors[match[2] ?? ''] ?? 1);
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * A moment by the router's own clock, as if it were UTC: `2026-11-14 09:30:00`,
 * or `nov/14/2026 09:30:00` before RouterOS 7.10. Undefined for anything else.
 */
export const parseLocalTime = (value: unknown): number | undefined => {
  const text = asText(value)?.trim().toLowerCase() ?? '';
  const old = /^([a-z]{3})\/(\d{2})\/(\d{4}) (\d{2}:\d{2}:\d{2})$/.exec(text);
  const [, month = '', day = '', year = '', time = ''] = old ?? [];
  const iso = old ? `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day} ${time}` : text;
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(iso)) return undefined;
  const ms = Date.parse(`${iso.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : ms;
};
