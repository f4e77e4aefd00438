import type { Schemas } from '../../api/schemas.ts';
import { areAllowed, type Limits } from '../../vouchers/limits.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';

/** What is being ordered, as it was typed. */
export interface OrderDraft {
  readonly siteId: number | null;
  readonly name: string;
  /** A profile, or values of one's own. Null is the default of the site. */
  readonly choice: number | 'own' | null;
  readonly limits: Limits;
  /** As the field holds it: empty or too large while somebody types. */
  readonly count: number | string;
  /** The id under which it was sent first; kept until its outcome is known, so that a repetition is the same order. */
  readonly orderId: string | null;
}

export const maxCount = 500;

const usualLimits: Limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };

/** What the next guest begins with. The site stays. */
export const emptyDraft: Omit<OrderDraft, 'siteId'> = {
  name: '',
  choice: null,
  limits: usualLimits,
  count: 1,
  orderId: null,
};

/** The site of a draft: what was chosen, while that is possible, else the first. */
export const siteOf = ({ siteId }: OrderDraft, sites: readonly DeskSite[]): DeskSite | undefined =>
  sites.find(({ id }) => id === siteId) ?? sites[0];

/** What is chosen of a site: a profile of it, or values of one's own. */
export const choiceOf = ({ choice }: OrderDraft, site: DeskSite): number | 'own' => {
  if (choice === 'own') return 'own';
  const known = (wanted: number | null) => site.profiles.find(({ id }) => id === wanted);
  return (known(choice) ?? known(site.defaultProfileId) ?? site.profiles[0])?.id ?? 'own';
};

/** Whether the count of a draft can be ordered. */
export const hasCount = ({ count }: OrderDraft): boolean =>
  Number.isInteger(Number(count)) && Number(count) >= 1 && Number(count) <= maxCount;

/** The order that a draft asks for; undefined while a number of it is not allowed. */
export const toOrder = (draft: OrderDraft, site: DeskSite): Schemas['NewOrder'] | undefined => {
  const choice = choiceOf(draft, site);
  if (!hasCount(draft) || (choice === 'own' && !areAllowed(draft.limits))) return undefined;
  return {
    siteId: site.id,
    name: draft.name.trim(),
    count: Number(draft.count),
    profileId: choice === 'own' ? null : choice,
    limits: choice === 'own' ? draft.limits : null,
  };
};
