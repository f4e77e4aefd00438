import { randomBytes } from 'node:crypto';
import type { Certificate } from '../certificate.js';

export interface SimulatedMikrotikOptions {
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Of RouterOS. Before 7.10 it writes dates in another way. */
  readonly version?: string;
  /** The names of its hotspot servers. Default: hotspot1. */
  readonly servers?: readonly string[];
  /** Is the package not installed, installed, or in use with profiles? Default: absent. */
  readonly userManager?: 'absent' | 'off' | 'on';
  /** Do its hotspots ask User Manager? Default: as soon as it is in use. */
  readonly usesRadius?: boolean;
  readonly username?: string;
  readonly password?: string;
  /** The account may not change anything. */
  readonly readOnly?: boolean;
  /** By how many minutes its local time is ahead of UTC. */
  readonly zoneMinutes?: number;
  readonly clock?: () => number;
  /** Default: a self-signed one. */
  readonly certificate?: Certificate;
  /** Every call is redirected to this address. */
  readonly redirect?: string;
}

/** The options with all defaults applied. */
export interface RouterSettings extends Required<Omit<SimulatedMikrotikOptions, 'certificate' | 'redirect'>> {
  readonly redirect: string | undefined;
}

export const resolveRouterSettings = (options: SimulatedMikrotikOptions): RouterSettings => {
  const userManager = options.userManager ?? 'absent';
  return {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    version: options.version ?? '7.16.1',
    servers: options.servers ?? ['hotspot1'],
    userManager,
    usesRadius: options.usesRadius ?? userManager === 'on',
    username: options.username ?? 'voucherd',
    password: options.password ?? randomBytes(16).toString('hex'),
    readOnly: options.readOnly ?? false,
    zoneMinutes: options.zoneMinutes ?? 60,
    clock: options.clock ?? Date.now,
    redirect: options.redirect,
  };
};
