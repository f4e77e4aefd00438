import { englishText } from './english.js';
import type { Failure, Trouble } from './failure.js';

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

/** What is left to say of a voucher that a controller made, or may have made, without showing it. */
export const unseenVoucher = ({ controllerSite: _, ...order }: VoucherOrder): ControllerVoucher => ({
  ...order,
  id: null,
  code: undefined,
  usedCount: 0,
  createdAt: 0,
  expiresAt: null,
  expired: false,
});

/** A span of time by the controller's clock, both ends included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** By how many milliseconds a controller's clock is ahead of ours, at least and at most. */
export interface ClockOffset {
  readonly atLeast: number;
  readonly atMost: number;
}

/** A controller's clock, which may be wrong by hours. */
export interface ControllerClock {
  /** What earlier answers have shown. */
  offset(): ClockOffset | undefined;
  /** As `offset`, but asks the controller when no answer was recent. Undefined when it does not tell its time. */
  measure(signal?: AbortSignal): Promise<ClockOffset | undefined>;
}

export interface ControllerInfo {
  readonly version: string;
  readonly sites: readonly { readonly id: string; readonly name: string }[];
}

/** The upstream system that one or more sites are tied to. */
export interface Controller {
  /**
   * Makes vouchers. Throws `OutcomeUnknown` when it can't tell whether it did, anything else when it did not. Fewer
   * than were ordered, or one without a code, means that the controller said yes and did not show them.
   * Once the signal is aborted, nothing more is begun, and the call ends at once with either of the two.
   */
  create(order: VoucherOrder, count: number, signal?: AbortSignal): Promise<readonly ControllerVoucher[]>;
  /** All vouchers of a site, page by page, as the controller has them while the list is read. */
  list(controllerSite: string | null, signal?: AbortSignal): AsyncIterable<ControllerVoucher>;
  /** At least those vouchers of a site that were created in one of these ranges; never the whole list if it can. */
  createdIn(
    controllerSite: string | null,
    ranges: readonly TimeRange[],
    signal?: AbortSignal,
  ): AsyncIterable<ControllerVoucher>;
  readonly clock: ControllerClock;
  /** Where the controller can be asked for less than the whole list. */
  readonly incremental?: Incremental;
  /** Removes a voucher. One that is gone already is no error. */
  revoke(controllerSite: string | null, id: string, signal?: AbortSignal): Promise<void>;
  /** Reachable? Which version? Which sites? Tells of each step on the way. */
  probe(told?: (step: ProbeStep) => void): Promise<ControllerInfo>;
  /** Lets what is under way end, and then closes every connection. */
  close(): Promise<void>;
}

/** A list that costs what has changed, not what there is. */
export interface Incremental {
  /** How many vouchers the controller has for a site. */
  count(controllerSite: string | null, signal?: AbortSignal): Promise<number>;
  /** The vouchers of a site that may have been used, or have expired, since that time; others may be among them. */
  changed(
    controllerSite: string | null,
    since: number,
    signal?: AbortSignal,
  ): AsyncIterable<ControllerVoucher>;
}

/** What a probe does, in this order. A step that fails is the last one, and the probe throws. */
export type ProbeStep = 'connected' | 'signed-in' | 'version' | 'sites';

/** What a call of a controller ended with, instead of an answer. */
class ControllerFailure extends Error {
  constructor(
    /** What the controller is called; undefined where there is only one that can be meant. */
    readonly controller: string | undefined,
    readonly failure: Failure,
  ) {
    super(logText(controller, failure));
  }

  get trouble(): Trouble {
    return this.failure.trouble;
  }
}

/** The controller was asked, and whether it made a voucher can't be told: the reconciler finds out. */
export class OutcomeUnknown extends ControllerFailure {
  override readonly name = 'OutcomeUnknown';
}

/** A controller that certainly made nothing, and why. */
export class ControllerError extends ControllerFailure {
  override readonly name = 'ControllerError';
}

const logText = (controller: string | undefined, failure: Failure): string =>
  `${controller ?? 'controller'}: ${englishText(failure)}`;

/** Settings that an adapter can't use; the message names the setting and what is allowed. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
