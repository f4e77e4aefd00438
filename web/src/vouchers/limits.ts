import type { Schemas } from '../api/schemas.ts';

/** How long, how often, how fast and how much. */
export type Limits = NonNullable<Schemas['NewOrder']['limits']>;

/** The largest number that the service stores. */
const maxNumber = 2_147_483_647;

/** What the service takes, in the smallest unit. 0 is no limit. */
export const limitBounds: Readonly<Record<keyof Limits, { readonly least: number; readonly most: number }>> =
  {
    expireMinutes: { least: 1, most: maxNumber },
    maxUses: { least: 1, most: maxNumber },
    down: { least: 0, most: maxNumber },
    up: { least: 0, most: maxNumber },
    quotaMb: { least: 0, most: maxNumber },
  };

/** Whether an amount can be ordered; `allowed` goes less far than the service itself. */
export const isAllowed = (
  name: keyof Limits,
  amount: number,
  { [name]: allowed = Infinity }: Partial<Limits> = {},
): boolean => {
  const { least } = limitBounds[name];
  const most = Math.min(limitBounds[name].most, allowed);
  return Number.isInteger(amount) && amount >= least && amount <= most;
};

const limitNames = Object.keys(limitBounds) as (keyof Limits)[];

export const areAllowed = (limits: Limits, allowed?: Partial<Limits>): boolean =>
  limitNames.every((name) => isAllowed(name, limits[name], allowed));
