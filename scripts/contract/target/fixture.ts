import type { HttpClient } from '../request.js';
import type { Key } from './keys.js';

/** The sites of a service that the run has started itself, by what their controllers do. */
export interface FixtureSites {
  /** Two whose controllers work. */
  readonly healthy: readonly [number, number];
  /** The controller refuses every order. */
  readonly refusing: number;
  /** The controller answers without a voucher. */
  readonly withoutVoucher: number;
  /** The controller makes the voucher, and its answer never comes. */
  readonly lost: number;
  readonly inactive: number;
}

/** A voucher as the controller of a site has it. */
export interface MadeVoucher {
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
}

/** What the run knows, and may do, behind a service that it has started itself. */
export interface Fixture {
  readonly sites: FixtureSites;
  /** Another service whose database can't be read, and a key for it. */
  broken(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** Another service that has as many requests in flight as it takes, and a key for it. */
  busy(): Promise<{ readonly client: HttpClient; readonly key: Key }>;
  /** The voucher with this code, on whichever controller of a healthy site. */
  madeVoucher(code: string): Promise<MadeVoucher | undefined>;
}
