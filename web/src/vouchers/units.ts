/** A unit in which people give an amount. */
export interface Unit {
  readonly name: 'minutes' | 'hours' | 'days' | 'kbit' | 'mbit' | 'mb' | 'gb';
  /** How much of what is stored makes one. */
  readonly factor: number;
}

/** Smallest first. */
export type Units = readonly [Unit, ...Unit[]];

/** Durations are stored in minutes, speeds in kbit/s, data in MB. */
export const durationUnits: Units = [
  { name: 'minutes', factor: 1 },
  { name: 'hours', factor: 60 },
  { name: 'days', factor: 1440 },
];
export const speedUnits: Units = [
  { name: 'kbit', factor: 1 },
  { name: 'mbit', factor: 1000 },
];
export const dataUnits: Units = [
  { name: 'mb', factor: 1 },
  { name: 'gb', factor: 1000 },
];

/** The largest unit in which an amount is a whole number or half of one. */
export const unitFor = (amount: number, [smallest, ...larger]: Units): Unit =>
  larger.findLast(({ factor }) => Number.isInteger((amount / factor) * 2)) ?? smallest;

/** What is typed into a field, and the unit beside it. */
export interface AmountEntry {
  /** A number, or the text that somebody has typed. */
  readonly typed: number | string;
  readonly unit: Unit;
}

export const toEntry = (amount: number, units: Units): AmountEntry => {
  const unit = unitFor(amount, units);
  return { typed: amount === 0 ? '' : amount / unit.factor, unit };
};

/** How a language separates thousands in numbers. */
export type GroupSeparator = '.' | ',' | ' ';

/**
 * In the smallest unit, 0 while nothing is typed. What is not a number is NaN, and so is a 0 that is typed where it is
 * refused.
 */
export const toAmount = (
  { typed, unit }: AmountEntry,
  { refusesZero = false, group = ',' }: { refusesZero?: boolean; group?: GroupSeparator } = {},
): number => {
  const amount = Math.round((typeof typed === 'number' ? typed : parseTyped(typed, group)) * unit.factor);
  return refusesZero && amount === 0 && typed !== '' ? Number.NaN : amount;
};

/**
 * A number as people type it: `1.5` and `1,5` are the same in every language. Before three digits, the separator of
 * thousands is one.
 */
const parseTyped = (text: string, group: GroupSeparator): number => {
  const typed = text.replaceAll(/\s/g, '');
  const isGrouped = group !== ' ' && new RegExp(`^\\d{1,3}(\\${group}\\d{3})+([.,]\\d*)?$`).test(typed);
  const plain = (isGrouped ? typed.replaceAll(group, '') : typed).replace(',', '.');
  return /^(\d+\.?\d*|\.\d+|)$/.test(plain) ? Number(plain) : Number.NaN;
};
