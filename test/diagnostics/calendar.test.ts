import { expect, jest, test } from '@jest/globals';
import { listDays, listDaysFrom } from '../../src/diagnostics/calendar.js';

const spans = (now: string, count: number, timeZone: string) =>
  listDays(Date.parse(now), count, timeZone).map(({ date, from, to }) => [
    date,
    new Date(from).toISOString(),
    (to - from) / 3_600_000,
  ]);

test.each([
  ['Europe/Berlin', '2026-10-25T12:00:00Z', ['2026-10-25', '2026-10-24T22:00:00.000Z', 25]],
  ['Europe/Berlin', '2026-03-29T12:00:00Z', ['2026-03-29', '2026-03-28T23:00:00.000Z', 23]],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z', ['2026-06-01', '2026-05-31T18:15:00.000Z', 24]],
  ['Pacific/Kiritimati', '2026-06-01T12:00:00Z', ['2026-06-02', '2026-06-01T10:00:00.000Z', 24]],
  ['Pacific/Pago_Pago', '2026-06-01T10:00:00Z', ['2026-05-31', '2026-05-31T11:00:00.000Z', 24]],
  // Clocks go forward at midnight, so the day begins at 01:00.
  ['Africa/Cairo', '2026-04-24T12:00:00Z', ['2026-04-24', '2026-04-23T22:00:00.000Z', 23]],
])('a day of %s at %s is where its calendar has it', (timeZone, now, day) => {
  expect(spans(now, 1, timeZone)).toEqual([day]);
});

test('days follow each other without gap and overlap, over a change of the clocks and of the year', () => {
  const days = listDays(Date.parse('2027-01-10T00:00:00Z'), 90, 'America/Sao_Paulo');
  expect(days).toHaveLength(90);
  expect(days.at(-1)?.date).toBe('2027-01-09');
  expect(days.slice(1).every(({ from }, index) => from === days[index]?.to)).toBe(true);
});

test('two years are found with few looks at the calendar, which others would wait for', () => {
  const { DateTimeFormat } = Intl;
  let looks = 0;
  const made = jest.spyOn(Intl, 'DateTimeFormat').mockImplementation((...options) => {
    const real = new DateTimeFormat(...options);
    const format = (at?: number | Date): string => {
      looks += 1;
      return real.format(at);
    };
    return Object.defineProperty(new DateTimeFormat(...options), 'format', { value: format });
  });
  const days = listDaysFrom('2025-01-01', 730, 'Europe/Berlin');
  made.mockRestore();
  expect([days.length, looks < 2000]).toEqual([730, true]);
});

test.each(['', 'Mars/Olympus', '+02:00', 'Europe/Berlin; x', '../etc'])('"%s" is no time zone', (zone) => {
  expect(() => listDays(0, 1, zone)).toThrow('time zone');
});
