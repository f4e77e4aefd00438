import { draftAudit, type Actor } from '../../audit/audit.js';
import type { ControllerVoucher } from '../../controllers/controller.js';
import { isAlteredName } from '../../controllers/match.js';
import type { ConnectedSite, SiteDirectory } from '../../controllers/siteDirectory.js';
import { Refusal } from '../../errors/problem.js';
import { readInBatches } from '../../lib/collections.js';
import { toStoredLine } from '../../lib/label.js';
import type { Clock } from '../../lib/system.js';
import type { Intent } from '../intentTable.js';
import { adoptedPrefix } from '../origin.js';
import type { ImportedVoucher } from '../voucherImportTable.js';
import { maxVouchersPerStatement } from '../voucherTable.js';
import type { VoucherTables } from '../voucherTables.js';
import type { AdoptionTable } from './adoptionTable.js';

/** A voucher on a controller that nobody has ordered here. */
export interface ForeignVoucher extends Omit<ControllerVoucher, 'id' | 'code'> {
  readonly id: string;
  readonly code: string;
}

export interface ForeignVoucherList {
  /** How many characters of a code are shown as a block. */
  readonly codeBlock: number | undefined;
  /** The newest first, at most `maxListed`. */
  readonly vouchers: readonly ForeignVoucher[];
  /** How many there are. */
  readonly total: number;
}

/**
 * Vouchers that a site's controller has, and we do not. All throw `Refusal`, or what the controller throws.
 */
export interface ForeignVouchers {
  list(siteId: number, signal: AbortSignal): Promise<ForeignVoucherList>;
  /** Records them as vouchers of the site, those with the given ids or all, and returns how many. */
  adopt(
    siteId: number,
    ids: readonly string[] | undefined,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<number>;
}

interface ForeignVouchersDeps {
  readonly tables: Pick<VoucherTables, 'vouchers' | 'intents'>;
  readonly adoptions: AdoptionTable;
  readonly sites: Pick<SiteDirectory, 'find' | 'controllers'>;
  readonly clock: Clock;
}

/** More are counted, and not listed. */
export const maxListed = 500;
/** A console may have any number of vouchers, or list them without end: what was read by then is shown. */
const [maxRead, maxReadingMs] = [200_000, 60_000];
const [maxIdLength, maxNameLength, maxNumber] = [200, 255, 2_147_483_647];
const code = /^[A-Za-z0-9-]{1,64}$/;
/** By how much the clock of a controller may differ from ours. */
const clockToleranceMs = 86_400_000;

export const makeForeignVouchers = (deps: ForeignVouchersDeps): ForeignVouchers => {
  const { tables, adoptions, sites, clock } = deps;

  const findSite = async (siteId: number): Promise<ConnectedSite> => {
    const site = await sites.find(siteId);
    if (!site) throw new Refusal('unknown-site', 'there is no such site', 'missing');
    return site;
  };

  /** Of an order that is still open, the vouchers are on the controller before they are recorded. */
  const openIntents = async (site: ConnectedSite): Promise<Intent[]> => {
    const controller = (await sites.controllers()).find(({ id }) => id === site.controllerId);
    const siblings = controller?.controllerSites.find(({ id }) => id === site.controllerSite)?.sites ?? [];
    const siteIds = new Set(siblings.map(({ id }) => id));
    return (await tables.intents.all()).filter(({ siteId }) => siteIds.has(siteId));
  };

  const findForeign = async function* (
    site: ConnectedSite,
    signal: AbortSignal,
  ): AsyncGenerator<ForeignVoucher[], void, void> {
    const seen = new Set<string>();
    const late = AbortSignal.timeout(maxReadingMs);
    for await (const batch of readUntil(site, AbortSignal.any([signal, late]), late)) {
      if (seen.size >= maxRead) return;
      // A list may have a voucher twice when others are created while it is read.
      const usable = batch.flatMap(toForeign).filter(({ id }) => !seen.has(id) && seen.add(id));
      const unrecorded = await tables.vouchers.unrecorded(site.controllerId, usable);
      if (unrecorded.length === 0) continue;
      // After the look at the records: an order that ended in between is recorded, or still open.
      const open = await openIntents(site);
      const isOrdered = (voucher: ForeignVoucher): boolean =>
        open.some(
          (intent) =>
            isAlteredName(voucher.name, intent.name) &&
            (voucher.createdAt ?? Infinity) >= intent.createdAt - clockToleranceMs,
        );
      const candidates = unrecorded.filter((voucher) => !isOrdered(voucher));
      yield await tables.vouchers.unrecorded(site.controllerId, candidates);
    }
  };

  return {
    list: async (siteId, signal) => {
      const site = await findSite(siteId);
      let [vouchers, total]: [ForeignVoucher[], number] = [[], 0];
      for await (const found of findForeign(site, signal)) {
        total += found.length;
        vouchers = [...vouchers, ...found]
          .sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))
          .slice(0, maxListed);
      }
      return { vouchers, total, codeBlock: site.controller.codeBlock };
    },
    adopt: async (siteId, ids, actor, signal) => {
      const site = await findSite(siteId);
      const wanted = ids && new Set(ids);
      let adopted = 0;
      for await (const found of findForeign(site, signal)) {
        const chosen = found.filter(({ id }) => wanted?.has(id) !== false);
        if (chosen.length === 0) continue;
        const records = chosen.map((voucher) => toRecord(voucher, site, actor, clock.now()));
        adopted += await adoptions.adopt(records, site, draftAudit(actor, 'voucher.adopt', clock.now()));
        for (const { id } of chosen) wanted?.delete(id);
        if (wanted?.size === 0) break;
      }
      return adopted;
    },
  };
};

/** What the controller lists until then. */
const readUntil = async function* (
  { controller, controllerSite }: ConnectedSite,
  signal: AbortSignal,
  late: AbortSignal,
): AsyncGenerator<readonly ControllerVoucher[], void, void> {
  try {
    yield* readInBatches(controller.list(controllerSite, signal), maxVouchersPerStatement, signal);
  } catch (error) {
    if (!late.aborted) throw error;
  }
};

/**
 * Without an id it could be adopted twice; what has expired or has no usable code is of no use to anybody,
 * and may have been one of ours that retention has removed.
 */
const toForeign = (voucher: ControllerVoucher): ForeignVoucher[] => {
  const { id, code: given, expired } = voucher;
  if (expired) return [];
  if (id === null || id === '' || id.length > maxIdLength || given === undefined || !code.test(given))
    return [];
  return [
    {
      ...voucher,
      id,
      code: given,
      name: toStoredLine(voucher.name, maxNameLength),
      maxUses: toCount(voucher.maxUses),
      expireMinutes: toCount(voucher.expireMinutes),
      down: toCount(voucher.down),
      up: toCount(voucher.up),
      quotaMb: toCount(voucher.quotaMb),
      usedCount: toCount(voucher.usedCount),
    },
  ];
};

const toCount = (value: number): number => Math.trunc(Math.min(Math.max(value, 0), maxNumber));

const toRecord = (
  voucher: ForeignVoucher,
  site: ConnectedSite,
  actor: Actor,
  now: number,
): ImportedVoucher => {
  const { id, expired, createdAt, ...values } = voucher;
  const isUsedUp = voucher.maxUses > 0 && voucher.usedCount >= voucher.maxUses;
  return {
    ...values,
    createdAt: createdAt ?? now,
    codeBlock: site.controller.codeBlock ?? null,
    siteId: site.id,
    controllerId: site.controllerId,
    controllerVoucherId: id,
    status: expired ? 'expired' : isUsedUp ? 'used' : 'valid',
    source: adoptedPrefix + (actor.name ?? ''),
    actorKind: 'adopted',
    actorName: actor.name,
  };
};
