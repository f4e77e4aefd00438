import type { Schemas } from '../../api/schemas.ts';
import { areAllowed, type Limits } from '../../vouchers/limits.ts';
import { mostCount, narrowingAt, withinAllowance } from './allowance.ts';
import { initialProfile, orderableProfiles } from '../../vouchers/initialProfile.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import { parseNames } from './nameList.ts';

/** What is being ordered, as it was typed. */
export interface OrderDraft {
  readonly siteId: number | null;
  readonly name: string;
  /** A profile, or values of one's own. Null is the default of the site, if it has one. */
  readonly choice: Choice;
  readonly limits: Limits;
  /** As the field holds it: empty or too large while somebody types. */
  readonly count: number | string;
  /** A list of names, one per line, as it was typed; null where there is none. */
  readonly names: string | null;
  /** Whether the first line of the list is a heading, and left out; `kept` where somebody says that it is a name. */
  readonly heading: 'none' | 'left-out' | 'kept';
  /** Whether several vouchers without names of their own get numbers. */
  readonly isNumbered: boolean;
  /** The id under which it was sent first; kept until its outcome is known, so that a repetition is the same order. */
  readonly orderId: string | null;
}

const usualLimits: Limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };

/** What the next guest begins with. The site stays. */
export const emptyDraft: Omit<OrderDraft, 'siteId'> = {
  name: '',
  choice: null,
  limits: usualLimits,
  count: 1,
  names: null,
  heading: 'none',
  isNumbered: true,
  orderId: null,
};

/** The site of a draft: what was chosen, now or the last time; the only one, where nobody can choose. */
export const siteOf = ({ siteId }: OrderDraft, sites: readonly DeskSite[]): DeskSite | undefined =>
  sites.length === 1 ? sites[0] : sites.find(({ id }) => id === siteId);

/** What can be chosen at a site: a profile of it, or values of one's own. Null where somebody still has to choose. */
export type Choice = number | 'own' | null;

export const choiceOf = ({ choice }: OrderDraft, site: DeskSite): Choice => {
  const { allowsCustom } = site.allowance;
  if (choice === 'own' && allowsCustom) return 'own';
  const chosen = orderableProfiles(site).find(({ id }) => id === choice) ?? initialProfile(site);
  return chosen?.id ?? (site.profiles.length === 0 && allowsCustom ? 'own' : null);
};

/** The user's own values. Those that nobody has changed go no further than allowed. */
export const limitsOf = ({ limits }: OrderDraft, site: DeskSite): Limits =>
  JSON.stringify(limits) === JSON.stringify(usualLimits) ? withinAllowance(limits, site) : limits;

/** Whether an order has to say whom it is for, and does not. */
export const isNameMissing = ({ name, names }: OrderDraft, { allowance }: DeskSite): boolean =>
  allowance.requiresName && names === null && name.trim() === '';

/** Whether the count of a draft can be ordered; a list of names has its own. */
export const hasCount = ({ count, names }: OrderDraft, site: DeskSite): boolean =>
  names !== null ||
  (Number.isInteger(Number(count)) && Number(count) >= 1 && Number(count) <= mostCount(site));

const listOf = ({ names, heading }: OrderDraft, site: DeskSite) =>
  names === null
    ? undefined
    : parseNames(names, { most: mostCount(site), hasHeading: heading === 'left-out' });

/** How many vouchers a draft asks for, whatever else of it is missing. */
export const countOf = (draft: OrderDraft, site: DeskSite): number => {
  const count = listOf(draft, site)?.names.length ?? Number(draft.count);
  return count >= 1 && hasCount(draft, site) ? count : 1;
};

/** The order that a draft asks for; undefined while something of it is missing or not allowed. */
export const toOrder = (draft: OrderDraft, site: DeskSite): Schemas['NewOrder'] | undefined => {
  const choice = choiceOf(draft, site);
  const limits = limitsOf(draft, site);
  if (choice === null || !hasCount(draft, site) || isNameMissing(draft, site)) return undefined;
  if (choice === 'own' && !areAllowed(limits, narrowingAt(site))) return undefined;
  const list = listOf(draft, site);
  if (list && (list.names.length === 0 || list.problems.length > 0)) return undefined;
  const count = list?.names.length ?? Number(draft.count);
  return {
    siteId: site.id,
    name: draft.name.trim(),
    count,
    names: list ? [...list.names] : null,
    numbered: !list && draft.isNumbered && count > 1,
    profileId: choice === 'own' ? null : choice,
    limits: choice === 'own' ? limits : null,
  };
};
