import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { ConsoleSettings } from './settings.js';

/** A voucher as the console stores it, for both APIs. Times are milliseconds since 1970, in whole seconds. */
export interface SimulatedVoucher {
  /** The Integration API's id, a UUID. */
  id: string;
  /** The classic API's `_id`, 24 hexadecimal digits. */
  objectId: string;
  /** Reference of the site. */
  site: string;
  code: string;
  name: string;
  /** How many guests may use it; 0 is unlimited. */
  limit: number;
  minutes: number;
  /** kbit/s; 0 is unlimited. */
  down: number;
  /** kbit/s; 0 is unlimited. */
  up: number;
  /** 0 is unlimited. */
  quotaMb: number;
  used: number;
  createdAt: number;
  activatedAt: number | undefined;
  expiresAt: number | undefined;
}

export interface SimulatedSite {
  /** The Integration API's id. */
  readonly id: string;
  /** The classic API's `_id`. */
  readonly objectId: string;
  readonly reference: string;
  readonly name: string;
}

/** An order of vouchers. */
export type SimulatedOrder = Pick<SimulatedVoucher, 'name' | 'limit' | 'minutes' | 'down' | 'up' | 'quotaMb'>;

/** The one store behind both APIs. */
export interface VoucherStore {
  readonly sites: readonly SimulatedSite[];
  create(site: SimulatedSite, count: number, order: SimulatedOrder): SimulatedVoucher[];
  /** All vouchers of a site in the order of creation. The array never changes; a later call returns another one. */
  list(reference: string): readonly SimulatedVoucher[];
  byId(reference: string, id: string): SimulatedVoucher | undefined;
  byObjectId(reference: string, objectId: string): SimulatedVoucher | undefined;
  delete(voucher: SimulatedVoucher): void;
  /** Adds vouchers without an API request; values that are not given have defaults. */
  add(count: number, values: Partial<SimulatedVoucher>): void;
  /** Guests sign in with a code, as many as it allows. */
  use(code: string, guests: number): void;
  /** Deletes the voucher with this code. */
  remove(code: string): void;
  /** Whether one of the APIs created it less than this long ago. */
  isNewerThan(voucher: SimulatedVoucher, ms: number): boolean;
}

export const makeVoucherStore = ({ sites: configured, clock }: ConsoleSettings): VoucherStore => {
  const newObjectId = makeObjectIds();
  const sites = configured.map((site) => ({ ...site, id: randomUUID(), objectId: newObjectId() }));
  const byId = new Map<string, SimulatedVoucher>();
  const byObjectId = new Map<string, SimulatedVoucher>();
  const byCode = new Map<string, SimulatedVoucher>();
  const ofSite = new Map(sites.map(({ reference }) => [reference, new Set<SimulatedVoucher>()]));
  /** Paging through many vouchers needs the same list many times. */
  const lists = new Map<string, readonly SimulatedVoucher[]>();

  /** The exact time; the console shows whole seconds. */
  const createdAt = new WeakMap<SimulatedVoucher, number>();

  const now = (): number => Math.floor(clock() / 1000) * 1000;

  const newCode = (): string => {
    for (;;) {
      const code = randomInt(10_000_000_000).toString().padStart(10, '0');
      if (!byCode.has(code)) return code;
    }
  };

  const insert = (voucher: SimulatedVoucher): SimulatedVoucher => {
    const vouchers = ofSite.get(voucher.site);
    if (!vouchers) throw new Error(`the console has no site ${voucher.site}`);
    if (byCode.has(voucher.code)) throw new Error(`the console has the code ${voucher.code} already`);
    vouchers.add(voucher);
    byId.set(voucher.id, voucher);
    byObjectId.set(voucher.objectId, voucher);
    byCode.set(voucher.code, voucher);
    lists.delete(voucher.site);
    return voucher;
  };

  const fresh = (site: string, order: SimulatedOrder, second: number): SimulatedVoucher => ({
    id: randomUUID(),
    objectId: newObjectId(),
    site,
    code: newCode(),
    ...order,
    used: 0,
    createdAt: second,
    activatedAt: undefined,
    expiresAt: undefined,
  });

  const forget = (voucher: SimulatedVoucher): void => {
    ofSite.get(voucher.site)?.delete(voucher);
    byId.delete(voucher.id);
    byObjectId.delete(voucher.objectId);
    byCode.delete(voucher.code);
    lists.delete(voucher.site);
  };

  const withCode = (code: string): SimulatedVoucher => {
    const voucher = byCode.get(code.replaceAll('-', ''));
    if (!voucher) throw new Error(`the console has no voucher with the code ${code}`);
    return voucher;
  };

  const inSite = (reference: string, voucher: SimulatedVoucher | undefined): SimulatedVoucher | undefined =>
    voucher?.site === reference ? voucher : undefined;

  return {
    sites,
    create: (site, count, order) => {
      const [exactly, second] = [clock(), now()];
      return Array.from({ length: count }, () => {
        const voucher = insert(fresh(site.reference, order, second));
        createdAt.set(voucher, exactly);
        return voucher;
      });
    },
    list: (reference) => {
      const cached = lists.get(reference);
      if (cached) return cached;
      const list = [...(ofSite.get(reference) ?? [])];
      lists.set(reference, list);
      return list;
    },
    byId: (reference, id) => inSite(reference, byId.get(id.toLowerCase())),
    byObjectId: (reference, objectId) => inSite(reference, byObjectId.get(objectId)),
    delete: forget,
    add: (count, values) => {
      const second = now();
      const order = { name: 'Seeded', limit: 1, minutes: 480, down: 0, up: 0, quotaMb: 0 };
      const reference = sites[0]?.reference ?? 'default';
      for (let made = 0; made < count; made += 1) insert({ ...fresh(reference, order, second), ...values });
    },
    use: (code, guests) => {
      const voucher = withCode(code);
      if (voucher.expiresAt !== undefined && voucher.expiresAt <= clock()) {
        throw new Error(`the voucher ${code} has expired`);
      }
      if (voucher.limit > 0 && voucher.used + guests > voucher.limit) {
        throw new Error(
          `the voucher ${code} is for ${voucher.limit} guests, and ${voucher.used} have used it`,
        );
      }
      voucher.used += guests;
      if (voucher.activatedAt === undefined) {
        voucher.activatedAt = now();
        voucher.expiresAt = voucher.activatedAt + voucher.minutes * 60_000;
      }
    },
    remove: (code) => forget(withCode(code)),
    isNewerThan: (voucher, ms) => {
      const created = createdAt.get(voucher);
      return created !== undefined && clock() < created + ms;
    },
  };
};

/** Ids as MongoDB generates them: the second, a random part, a counter. */
const makeObjectIds = (): (() => string) => {
  const start =
    Math.floor(Date.now() / 1000)
      .toString(16)
      .padStart(8, '0') + randomBytes(5).toString('hex');
  let counter = randomInt(0x800000);
  return () => {
    counter += 1;
    return start + counter.toString(16).padStart(6, '0');
  };
};
