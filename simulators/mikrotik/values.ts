const units = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** A span of time as RouterOS shows it: `1w2d3h`. */
export const formatUptime = (ms: number): string => {
  let left = Math.max(0, Math.floor(ms / 1000));
  let text = '';
  for (const [unit, seconds] of units) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) text += `${String(count)}${unit}`;
  }
  return text === '' ? '0s' : text;
};

/** What a user writes: `90m`, `1d2h`, `24:00:00`. Undefined for anything else. */
export const readDuration = (text: string): number | undefined => {
  const clock = /^(\d+):(\d\d):(\d\d)$/.exec(text);
  if (clock) {
    const [hours = 0, minutes = 0, seconds = 0] = clock.slice(1).map(Number);
    return (hours * 3600 + minutes * 60 + seconds) * 1000;
  }
  if (!/^(\d{1,9}[wdhms])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d{1,9})([wdhms])/g)].reduce((sum, [, count, unit]) => {
    const seconds = units.find(([name]) => name === unit)?.[1] ?? 0;
    return sum + Number(count) * seconds * 1000;
  }, 0);
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

/** A moment by the router's clock; before RouterOS 7.10 with the month as a word. */
export const formatLocalTime = (ms: number, zoneMinutes: number, version: string): LocalTime => {
  const [date = '', time = ''] = new Date(ms + zoneMinutes * 60_000).toISOString().slice(0, 19).split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > 7 || (major === 7 && minor >= 10);
  return { date: isNew ? date : `${months[Number(month) - 1] ?? ''}/${day}/${year}`, time };
};
