import { useMemo } from 'react';
import { useLanguage } from './language.tsx';
import { pageLocaleOf, type Language } from './pageLanguages.ts';

const minuteMs = 60_000;
const units = [
  ['year', 365 * 24 * 60 * minuteMs],
  ['month', 30 * 24 * 60 * minuteMs],
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const;

/** The largest units that make up a whole duration: 90 minutes are an hour and 30 minutes, 4320 are 3 days. */
const splitMinutes = (minutes: number): ['day' | 'hour' | 'minute', number][] => {
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const parts: ['day' | 'hour' | 'minute', number][] = [
    ['day', days],
    ['hour', hours],
    ['minute', minutes % 60],
  ];
  const counted = parts.filter(([, count]) => count > 0);
  return counted.length > 0 ? counted : [['minute', 0]];
};

/** Midnight of a day where this browser is, or of a day after it. The text is a date such as 2026-11-14. */
export const dayStart = (date: string, daysLater = 0): string => {
  const time = new Date(`${date}T00:00:00`);
  time.setDate(time.getDate() + daysLater);
  return time.toISOString();
};

/** Minutes in human units of any language: "3 Tage". */
const durationIn = (locale: string, minutes: number): string => {
  const unit = (name: string, count: number): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(count);
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(
    splitMinutes(minutes).map(([name, count]) => unit(name, count)),
  );
};

export interface Format {
  /** A day and a time of it, such as 14.11.2026, 09:30. */
  dateTime(time: string | number | Date): string;
  date(time: string | number | Date): string;
  /** A day without its year, for axes; the text is a date such as 2026-11-14. */
  shortDay(date: string): string;
  /** A day with its year; the text is a date. */
  day(date: string): string;
  /** The month of a day. */
  month(date: string): string;
  /** How long ago, or in how long: "vor 3 Minuten". */
  relative(time: string | number | Date, now?: number): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** Minutes in human units: "3 Tage". */
  duration(minutes: number): string;
  seconds(count: number): string;
  list(items: readonly string[]): string;
}

/** Dates, numbers and durations as a language writes them. */
export const makeFormat = (language: Language): Format => {
  const locale = pageLocaleOf(language);
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const seconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' });
  return {
    dateTime: (time) => dateTime.format(new Date(time)),
    date: (time) => date.format(new Date(time)),
    shortDay: (day) => shortDay.format(new Date(`${day}T00:00:00Z`)),
    day: (date) => day.format(new Date(`${date}T00:00:00Z`)),
    month: (date) => month.format(new Date(`${date}T00:00:00Z`)),
    relative: (time, now = Date.now()) => {
      const distance = new Date(time).getTime() - now;
      const [name, length] = units.find(([, ms]) => Math.abs(distance) >= ms) ?? ['second', Infinity];
      return relative.format(name === 'second' ? 0 : Math.round(distance / length), name);
    },
    number: (value, options) => new Intl.NumberFormat(locale, options).format(value),
    duration: (minutes) => durationIn(locale, minutes),
    seconds: (count) => seconds.format(count),
    list: (items) => list.format(items),
  };
};

/** The format of the language of the pages. */
export const useFormat = (): Format => {
  const { language } = useLanguage();
  return useMemo(() => makeFormat(language), [language]);
};
