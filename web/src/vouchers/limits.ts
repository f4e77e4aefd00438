import type { Schemas } from '../api/schemas.ts';
import type { DeskSite } from './voucher.ts';

/** How long, how often, how fast and how much. */
export type Limits = NonNullable<Schemas['NewOrder']['limits']>;

/** The largest number that the service stores. */
const maxNumber = 2_147_483_647;

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** What the service takes, in the smallest unit. 0 is no limit. */
export const limitBounds: Readonly<Record<keyof Limits, Bounds>> = {
  expireMinutes: { least: 1, most: maxNumber },
  maxUses: { least: 1, most: maxNumber },
  down: { least: 0, most: maxNumber },
  up: { least: 0, most: maxNumber },
  quotaMb: { least: 0, most: maxNumber },
};

/** What goes less far than the service itself. */
export interface Narrowing {
  /** How far the user may go. */
  readonly most?: Partial<Limits>;
  /** What the controller of a site keeps, where that is not everything. */
  readonly ranges?: DeskSite['limitRanges'];
}

/** What can be chosen for a limit; null where the controller can not keep it. 0 can be chosen wherever the service takes it. */
export const boundsOf = (name: keyof Limits, { most = {}, ranges }: Narrowing = {}): Bounds | null => {
  const range = ranges ? ranges[name] : { from: 0, to: Infinity };
  if (!range) return null;
  const bounds = limitBounds[name];
  return {
    least: Math.max(bounds.least, range.from),
    most: Math.min(bounds.most, range.to, most[name] ?? Infinity),
  };
};

/** Whether an amount can be ordered. */
export const isAllowed = (name: keyof Limits, amount: number, narrowing?: Narrowing): boolean => {
  if (amount === 0) return limitBounds[name].least === 0;
  const bounds = boundsOf(name, narrowing);
  return bounds !== null && Number.isInteger(amount) && amount >= bounds.least && amount <= bounds.most;
};

const limitNames = Object.keys(limitBounds) as (keyof Limits)[];

/** The limits that can not be ordered. */
export const findRefused = (limits: Limits, narrowing?: Narrowing): (keyof Limits)[] =>
  limitNames.filter((name) => !isAllowed(name, limits[name], narrowing));

export const areAllowed = (limits: Limits, narrowing?: Narrowing): boolean =>
  findRefused(limits, narrowing).length === 0;
