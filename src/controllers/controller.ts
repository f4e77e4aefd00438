/** What a controller is asked for. */
export interface VoucherOrder {
  /** The site as the controller names it; null for its only or default one. */
  readonly controllerSite: string | null;
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  /** kbit/s, kbit/s and MB; 0 is no limit. */
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
}

/** A voucher as a controller tells of it. */
export interface ControllerVoucher {
  readonly id: string | null;
  /** Absent when the controller's answer held none. */
  readonly code: string | undefined;
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
  readonly usedCount: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly expired: boolean;
}

export interface ControllerInfo {
  readonly version: string;
  readonly sites: readonly { readonly id: string; readonly name: string }[];
}

/** The upstream system that one or more sites are tied to. */
export interface Controller {
  /**
   * Makes vouchers. Throws `OutcomeUnknown` when it can't tell whether it did, anything else when it did not.
   * Once the signal is aborted, nothing more is begun.
   */
  create(order: VoucherOrder, count: number, signal?: AbortSignal): Promise<readonly ControllerVoucher[]>;
  list(controllerSite: string | null): AsyncIterable<ControllerVoucher>;
  revoke(controllerSite: string | null, id: string): Promise<void>;
  /** Reachable? Which version? Which sites? */
  probe(): Promise<ControllerInfo>;
  close(): Promise<void>;
}

/** The controller was asked, and whether it made a voucher can't be told: the reconciler finds out. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Settings that an adapter can't use; the message names the setting and what is allowed. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
