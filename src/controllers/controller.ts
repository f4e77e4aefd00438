import type { Log } from '../log/log.js';
import type { System } from '../lib/system.js';
import type { Tracer } from '../tracing/tracer.js';
import type { Secrets } from '../secrets/encryption.js';
import type { CodeForm } from './codes.js';
import type { Message } from '../i18n/messages.js';
import type { KeptLimits } from './keptLimits.js';
import { pickLimits, type VoucherLimits } from './voucherLimits.js';

/** The vouchers that a controller is asked to make. */
export interface VoucherOrder extends VoucherLimits {
  /** The site as the controller names it; null for its only or default one. */
  readonly controllerSite: string | null;
  readonly name: string;
  /** No other order has it, and the same order has it again when it is repeated: see `toOrderLabel`. */
  readonly reference: string;
  /** The codes that the vouchers shall have, one for each, where the controller has `ownCodes`. */
  readonly codes?: readonly string[] | undefined;
}

/** A voucher as a controller returns it. */
export interface ControllerVoucher extends VoucherLimits {
  readonly id: string | null;
  /** Absent when the controller's answer held none. */
  readonly code: string | undefined;
  readonly name: string;
  readonly usedCount: number;
  /** Null where the controller does not say when it was created. */
  readonly createdAt: number | null;
  readonly expiresAt: number | null;
  readonly expired: boolean;
}

/** A voucher that a controller has created, or may have created, without returning it. */
export const unseenVoucher = (order: VoucherOrder): ControllerVoucher => ({
  ...pickLimits(order),
  name: order.name,
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
  /**
   * As `offset`, but asks the controller when no answer was recent. Undefined when it does not tell its time.
   */
  measure(signal?: AbortSignal): Promise<ClockOffset | undefined>;
}

/** The clock of a controller that does not tell its time. */
export const unknownClock: ControllerClock = {
  offset: () => undefined,
  measure: () => Promise.resolve(undefined),
};

export interface ControllerInfo {
  readonly version: string;
  readonly sites: readonly { readonly id: string; readonly name: string }[];
  /** What an administrator should look at, in this order. */
  readonly advice?: readonly ControllerAdvice[];
}

/** What an administrator should do, with what is to be copied: commands, or lines of a configuration. */
export type ControllerAdvice = Message<'advice'> & { readonly lines?: string };

/** The upstream system of one or more sites. */
export interface Controller {
  /**
   * Makes vouchers. Throws `OutcomeUnknown` when it can't tell whether it did, anything else when it did not.
   * Fewer than were ordered, or one without a code, means that the controller said yes and did not show them.
   * Where there is `find`, an order may be repeated: it makes the vouchers, or confirms that they exist.
   * Where there are `ownCodes`, it makes vouchers with the codes of the order,
   * and throws `CodesTaken` when one of them is not free. Once the signal is aborted, nothing more is begun,
   * and the call ends at once with either of the two.
   */
  create(order: VoucherOrder, count: number, signal?: AbortSignal): Promise<readonly ControllerVoucher[]>;
  /**
   * Those vouchers of an order that exist, in its order, found by its codes or its reference. Without it,
   * they are told by name, limits and time.
   */
  readonly find?:
    | ((order: VoucherOrder, count: number, signal?: AbortSignal) => Promise<readonly ControllerVoucher[]>)
    | undefined;
  /** The codes that we choose for it. Without it, the controller chooses them. */
  readonly ownCodes?: CodeForm | undefined;
  /** How many characters of a code are shown as a block; 0: all of them. Five unless it says so. */
  readonly codeBlock?: number | undefined;
  /** The limits that it keeps. Without it, it takes all of them, and refuses values itself. */
  readonly keptLimits?: KeptLimits | undefined;
  /** How many vouchers one call makes at most. A larger order takes several calls. */
  readonly maxPerCall?: number | undefined;
  /** All vouchers of a site, page by page, as the controller has them while the list is read. */
  list(controllerSite: string | null, signal?: AbortSignal): AsyncIterable<ControllerVoucher>;
  /**
   * At least those vouchers of a site that were created in one of these ranges;
   * never the whole list if it can. It is not called where there is `find`.
   */
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
  /** Ends the sessions of guests who are online with a voucher. It may be revoked already. */
  readonly disconnect?:
    | ((controllerSite: string | null, id: string, signal?: AbortSignal) => Promise<void>)
    | undefined;
  /**
   * Reachable? Which version? Which sites? Reports each step as it succeeds. What `onStep` throws ends it.
   */
  probe(onStep?: OnProbeStep): Promise<ControllerInfo>;
  /** The state of its connection. Controllers without one do not tell. */
  connectionState?(): ConnectionState;
  /** Waits for calls in flight, then closes every connection. */
  close(): Promise<void>;
}

/** The connection to a controller, as it is now. */
export interface ConnectionState {
  /** Does the circuit breaker keep calls away? */
  readonly isCircuitOpen: boolean;
  /** How many calls wait, and how many are in flight. */
  readonly waiting: number;
  readonly inFlight: number;
  /** What the controller showed at the last connection; undefined before the first. */
  readonly certificate: SeenCertificate | undefined;
}

/** A certificate that a controller has shown. */
export interface SeenCertificate {
  /** When it expires, or the first of its issuers does. */
  readonly expiresAt: number;
  /** A pinned certificate is trusted, whether it has expired or not. */
  readonly isPinned: boolean;
}

/** Lists whose cost depends on what has changed, not on how much there is. */
export interface Incremental {
  /** How many vouchers the controller has for a site. */
  count(controllerSite: string | null, signal?: AbortSignal): Promise<number>;
  /**
   * The vouchers of a site that may have been used, or have
   * expired, since that time; others may be among them.
   */
  changed(
    controllerSite: string | null,
    since: number,
    signal?: AbortSignal,
  ): AsyncIterable<ControllerVoucher>;
}

/** The steps of a probe, in this order. The probe throws at the first that fails. */
export type ProbeStep = 'connected' | 'signed-in' | 'version' | 'sites';

/** `version` comes with the step of this name. */
export type OnProbeStep = (step: ProbeStep, version?: string) => void;

export type ControllerCredentials = Readonly<Record<string, string>>;

/** What a controller is made from. */
export interface ControllerSpec {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Users, passwords, keys: never to be shown or logged. */
  readonly credentials: ControllerCredentials;
}

/** How records identify a controller's voucher. */
type VoucherKey = Pick<ControllerVoucher, 'id' | 'code' | 'name'>;

/**
 * Those of a controller's vouchers that are not recorded: neither by the controller's id,
 * nor by the code together with the name, for whatever controller. With `anyName` the code alone counts,
 * for vouchers whose name was altered.
 */
type FindUnrecorded = <T extends VoucherKey>(
  controllerId: number,
  vouchers: readonly T[],
  anyName?: boolean,
) => Promise<T[]>;

export interface ControllerDeps {
  readonly dataDir: string;
  readonly system: System;
  readonly log: Log;
  /** How long a call may take whose signal has no deadline. */
  readonly deadlineMs: number;
  readonly unrecorded: FindUnrecorded;
  /** Is the order with this reference not settled yet? Then the rest of its vouchers may still be made. */
  isOrderOpen(reference: string): Promise<boolean>;
  /** Records the calls in traces, where somebody wants them. */
  readonly tracer?: Tracer | undefined;
  /** Opens sealed credentials. Called each time, because the key may have been rotated. */
  secrets(): Secrets;
}
