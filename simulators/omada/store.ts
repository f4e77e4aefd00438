import { randomInt } from 'node:crypto';
import type { SimulatedVoucher } from '../unifi/voucherStore.js';
import { newOmadaId, type OmadaSettings } from './settings.js';

/** A voucher as the controller stores it. */
export interface OmadaVoucher extends SimulatedVoucher {
  readonly groupId: string;
  /** Of its group. */
  readonly description: string;
}

/** A voucher group: an order, and what the controller shows of it. */
export interface OmadaGroup {
  readonly id: string;
  readonly site: string;
  /** The order, as it was sent. */
  readonly order: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly createdAt: number;
  readonly vouchers: Set<OmadaVoucher>;
}

/** What is ordered, in numbers. */
export interface GroupOrder {
  readonly name: string;
  readonly amount: number;
  readonly limit: number;
  readonly minutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
  readonly codeLength: number;
  readonly characters: string;
}

export interface OmadaStore {
  readonly sites: readonly { readonly reference: string; readonly name: string }[];
  groups(site: string): readonly OmadaGroup[];
  group(site: string, id: string): OmadaGroup | undefined;
  voucher(site: string, id: string): OmadaVoucher | undefined;
  /** Creates so many vouchers of the order. */
  create(site: string, given: GroupOrder, order: OmadaGroup['order'], count: number): OmadaGroup;
  delete(voucher: OmadaVoucher): void;
  list(site: string): readonly OmadaVoucher[];
  /** Guests sign in with a code, as many as it allows. */
  use(code: string, guests: number): void;
  /** Its time is over now. */
  end(code: string): void;
  /** Deletes the voucher with this code. */
  remove(code: string): void;
}

export const makeOmadaStore = ({ sites, clock }: OmadaSettings): OmadaStore => {
  const bySite = new Map(sites.map(({ id }) => [id, new Map<string, OmadaGroup>()]));
  const byCode = new Map<string, OmadaVoucher>();
  const byId = new Map<string, OmadaVoucher>();

  const newCode = ({ codeLength, characters }: GroupOrder): string => {
    for (;;) {
      const code = Array.from({ length: codeLength }, () => characters[randomInt(characters.length)]).join(
        '',
      );
      if (!byCode.has(code)) return code;
    }
  };
  const groups = (site: string): OmadaGroup[] => [...(bySite.get(site)?.values() ?? [])];
  const forget = (voucher: OmadaVoucher): void => {
    byCode.delete(voucher.code);
    byId.delete(voucher.id);
    bySite.get(voucher.site)?.get(voucher.groupId)?.vouchers.delete(voucher);
  };
  const withCode = (code: string): OmadaVoucher => {
    const voucher = byCode.get(code.replaceAll('-', ''));
    if (!voucher) throw new Error(`the controller has no voucher with the code ${code}`);
    return voucher;
  };

  return {
    sites: sites.map(({ id, name }) => ({ reference: id, name })),
    groups,
    group: (site, id) => bySite.get(site)?.get(id),
    voucher: (site, id) => {
      const voucher = byId.get(id);
      return voucher?.site === site ? voucher : undefined;
    },
    create: (site, given, order, count) => {
      const group: OmadaGroup = {
        id: newOmadaId(),
        site,
        order,
        name: given.name,
        createdAt: clock(),
        vouchers: new Set(),
      };
      const { name, limit, minutes, down, up, quotaMb } = given;
      for (let made = 0; made < count; made += 1) {
        const voucher: OmadaVoucher = {
          id: newOmadaId(),
          objectId: '',
          groupId: group.id,
          description: typeof order['description'] === 'string' ? order['description'] : '',
          site,
          code: newCode(given),
          name,
          limit,
          minutes,
          down,
          up,
          quotaMb,
          used: 0,
          createdAt: group.createdAt,
          activatedAt: undefined,
          expiresAt: undefined,
        };
        group.vouchers.add(voucher);
        byCode.set(voucher.code, voucher);
        byId.set(voucher.id, voucher);
      }
      bySite.get(site)?.set(group.id, group);
      return group;
    },
    delete: forget,
    list: (site) => groups(site).flatMap(({ vouchers }) => [...vouchers]),
    use: (code, guests) => {
      const voucher = withCode(code);
      if (voucher.expiresAt !== undefined && voucher.expiresAt <= clock())
        throw new Error(`the voucher ${code} has expired`);
      if (voucher.limit > 0 && voucher.used + guests > voucher.limit)
        throw new Error(
          `the voucher ${code} is for ${String(voucher.limit)} uses, and ${String(voucher.used)} have been made`,
        );
      voucher.used += guests;
      voucher.activatedAt ??= clock();
      voucher.expiresAt ??= voucher.activatedAt + voucher.minutes * 60_000;
    },
    end: (code) => {
      withCode(code).expiresAt = clock();
    },
    remove: (code) => forget(withCode(code)),
  };
};
