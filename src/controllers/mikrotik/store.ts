import type { ControllerVoucher, VoucherOrder } from '../controller.js';
import type { VoucherLabel } from './label.js';

/** A user of the router. */
export interface GuestUser {
  readonly code: string;
  /** Undefined for a user that is no voucher of ours. */
  readonly label: VoucherLabel | undefined;
  /** Undefined for others' users, and for one that was not completed. */
  readonly voucher: ControllerVoucher | undefined;
}

export type Signal = AbortSignal | undefined;

/** Where the router keeps its guests: the users of its hotspot, or those of User Manager. */
export interface GuestStore {
  /** The users with these names. */
  find(codes: readonly string[], signal: Signal): Promise<readonly GuestUser[]>;
  /** All users; those whose time is over can not sign in any more after this. */
  all(signal: Signal): Promise<readonly GuestUser[]>;
  /** Makes what the users of an order refer to. */
  prepare(order: VoucherOrder, signal: Signal): Promise<void>;
  /** Makes a user. One that exists is no error, whoever made it. After a `ControllerError` there is none. */
  add(code: string, label: VoucherLabel, signal: Signal): Promise<void>;
  /** Removes a voucher of ours. */
  remove(code: string, signal: Signal): Promise<void>;
}

/** Whole megabytes as RouterOS counts: in bytes. */
export const bytesPerMb = 1_000_000;
