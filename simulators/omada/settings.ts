import { randomBytes } from 'node:crypto';
import type { Certificate } from '../certificate.js';

export interface SimulatedOmadaOptions {
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: one site, named Default. */
  readonly sites?: readonly { readonly id: string; readonly name: string }[];
  /** Below 5.9 there is no Open API. */
  readonly version?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The application is in authorization code mode. */
  readonly codeMode?: boolean;
  /** The application may only view. */
  readonly readOnly?: boolean;
  readonly tokenTtlMs?: number;
  /** Requests per second; more are answered with 429. Default: unlimited. */
  readonly requestsPerSecond?: number;
  /** The most vouchers of a site. */
  readonly capacity?: number;
  /** What deleting a voucher that does not exist is answered with. */
  readonly unknownDelete?: 'ok' | 'error';
  /** How long the codes of a new group are not listed. */
  readonly hideNewMs?: number;
  /** Which names a search finds. Default: those that hold what is searched for. */
  readonly search?: 'part' | 'begin' | 'whole';
  /** How much of a name is stored. Default: all of it. */
  readonly keepName?: (name: string) => string;
  readonly clock?: () => number;
  /** Default: a self-signed one. */
  readonly certificate?: Certificate;
  /** Every call is redirected to this address. */
  readonly redirect?: string;
}

/** The options with all defaults applied. */
export interface OmadaSettings extends Required<Omit<SimulatedOmadaOptions, 'certificate' | 'redirect'>> {
  readonly omadacId: string;
  readonly redirect: string | undefined;
}

/** Ids as the controller makes them. */
export const newOmadaId = (): string => randomBytes(12).toString('hex');

export const resolveOmadaSettings = (options: SimulatedOmadaOptions): OmadaSettings => ({
  host: options.host ?? '127.0.0.1',
  port: options.port ?? 0,
  sites: options.sites ?? [{ id: newOmadaId(), name: 'Default' }],
  version: options.version ?? '6.1.0.19',
  omadacId: randomBytes(16).toString('hex'),
  clientId: options.clientId ?? randomBytes(16).toString('hex'),
  clientSecret: options.clientSecret ?? randomBytes(16).toString('hex'),
  codeMode: options.codeMode ?? false,
  readOnly: options.readOnly ?? false,
  tokenTtlMs: options.tokenTtlMs ?? 7_200_000,
  requestsPerSecond: options.requestsPerSecond ?? Infinity,
  capacity: options.capacity ?? Infinity,
  unknownDelete: options.unknownDelete ?? 'error',
  hideNewMs: options.hideNewMs ?? 0,
  search: options.search ?? 'part',
  keepName: options.keepName ?? ((name) => name),
  clock: options.clock ?? Date.now,
  redirect: options.redirect,
});
