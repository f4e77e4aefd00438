import type { Schemas } from '../api/schemas.ts';

export type Voucher = Schemas['Voucher'];
export type VoucherState = Schemas['VoucherState'];
export type DeskSite = Schemas['Desk']['sites'][number];

/** Vouchers by their ids, or all of an order, as the service takes them. */
export const selectVouchers = (voucherIds: number[]): Schemas['VoucherSelection'] => ({
  voucherIds,
  orderId: null,
});
export const selectOrder = (orderId: string): Schemas['VoucherSelection'] => ({ voucherIds: null, orderId });

/** What can be looked for: those that are gone are among the expired ones. */
export const voucherStates = [
  'valid',
  'in-use',
  'used',
  'expired',
  'revoked',
] as const satisfies readonly VoucherState[];

/**
 * The state now. The service sends the one of its answer, but a page stays open, and a list of many pages is not fetched
 * again: what was valid then is over once its own time has passed, so that nobody prints or revokes it here.
 */
export const stateAt = (
  { state, expiresAt }: Pick<Voucher, 'state' | 'expiresAt'>,
  now: number,
): VoucherState =>
  isRevocable(state) && expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : state;

/** Whether there is something left to revoke. */
export const isRevocable = (state: VoucherState): boolean => state === 'valid' || state === 'in-use';

/** Whether a voucher may be printed and sent: its code has to be valid. */
export const mayBeHandedOut = (state: VoucherState): boolean => isRevocable(state) || state === 'used';

/** Whether a key, a kiosk or a guest page ordered it, or whether it was adopted, which is told beside its name: a user may be called like one. */
export const isMachine = (kind: Voucher['creatorKind']): kind is 'key' | 'kiosk' | 'guest' | 'adopted' =>
  kind === 'key' || kind === 'kiosk' || kind === 'guest' || kind === 'adopted';

/** The name as it was typed, without the date that the service puts in front. */
export const typedName = (name: string): string => name.replace(/^\d{4}-\d{2}-\d{2}_?/, '');

/** What an order of many is called. A list of guests without a name of its own goes by its first guest. */
export const orderName = (name: string, first: Pick<Voucher, 'name'> | undefined): string => {
  const guest = typedName(first?.name ?? '');
  return typedName(name) || (guest && `${guest}, …`);
};
