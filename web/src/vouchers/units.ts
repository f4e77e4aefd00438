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
  /** As the field holds it: no number while it is empty. */
  readonly typed: number | string;
  readonly unit: Unit;
}

export const toEntry = (amount: number, units: Units): AmountEntry => {
  const unit = unitFor(amount, units);
  return { typed: amount === 0 ? '' : amount / unit.factor, unit };
};

/**
 * In the smallest unit, 0 while nothing is typed. A field gives some numbers as text, such as 2.50 or 05. A
 * 0 that is typed is NaN where it is refused.
 */
export const toAmount = ({ typed, unit }: AmountEntry, refusesZero = false): number => {
  const amount = Math.round(Number(typed) * unit.factor);
  return refusesZero && amount === 0 && typed !== '' ? Number.NaN : amount;
};
