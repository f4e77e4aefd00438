import type { HttpClient } from '../request.js';
import type { Key } from './keys.js';

/** The sites of a local service, by the behaviour of their controllers. */
export interface FixtureSites {
  /** Two whose controllers work. */
  readonly healthy: readonly [number, number];
  /** The controller refuses every order. */
  readonly refusing: number;
  /** The controller answers without a voucher. */
  readonly withoutVoucher: number;
  /** The controller creates the voucher, and its answer is lost. */
  readonly lost: number;
  readonly inactive: number;
}

/** A voucher as the controller has stored it. */
export interface MadeVoucher {
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
}

/** What the run knows about a local service, and may do to it. */
export interface Fixture {
  readonly sites: FixtureSites;
  /** Another service whose database can't be read, and a key for it. */
  broken(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** Another service that is at its limit of requests in flight, and a key for it. */
  busy(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** The voucher with this code, on the controller of any healthy site. */
  madeVoucher(code: string): Promise<MadeVoucher | undefined>;
}
