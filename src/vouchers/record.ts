import { setTimeout as pause } from 'node:timers/promises';
import type { Controller, ControllerVoucher } from '../controllers/controller.js';
import { isUntouched } from '../controllers/match.js';
import { hasSameLimits, type VoucherLimits } from '../controllers/voucherLimits.js';
import type { Log } from '../log/log.js';
import { toTypedName } from '../lib/label.js';
import { newId, type System } from '../lib/system.js';
import type { ConnectedSite } from '../controllers/siteDirectory.js';
import type { NewAuditEntry } from '../audit/auditTable.js';
import type { Intent } from './intentTable.js';
import type { VoucherTables } from './voucherTables.js';
import type { VoucherRecord } from './voucherTable.js';
import { ordererKinds, toSource } from './origin.js';

/** A created voucher as its client sees it. */
export interface CreatedVoucher extends Pick<VoucherLimits, 'maxUses' | 'expireMinutes'> {
  readonly code: string;
  readonly formattedCode: string;
  readonly site: string;
}

/** A site whose controller says how codes are shown. */
interface ShownCodes {
  readonly controller: Pick<Controller, 'codeBlock'>;
}

/** A voucher with a code, which is needed to record it. */
export type CodedVoucher = ControllerVoucher & { readonly code: string };

/** Builds the record of an intent's vouchers, for the order or for the reconciler. */
export const buildVoucherRecord = (
  intent: Intent,
  site: Pick<ConnectedSite, 'id' | 'name' | 'controllerId'> & ShownCodes,
  created: readonly CodedVoucher[],
  system: System,
  /** Where the request came from, if that is known. */
  address: string | null = null,
): VoucherRecord => ({
  intentId: intent.id,
  siteId: site.id,
  controllerId: site.controllerId,
  source: toSource(intent),
  actorKind: ordererKinds[intent.origin],
  actorName: intent.actorName,
  profileId: intent.profileId,
  codeBlock: site.controller.codeBlock ?? null,
  down: intent.down,
  up: intent.up,
  quotaMb: intent.quotaMb,
  vouchers: created.map(({ id, code, expiresAt }, index) => ({
    controllerVoucherId: id,
    code,
    name: intent.names?.[index] ?? intent.name,
    ...(intent.names && { controllerName: intent.name }),
    maxUses: intent.maxUses,
    expireMinutes: intent.expireMinutes,
    status: 'valid',
    usedCount: 0,
    createdAt: intent.createdAt,
    expiresAt,
  })),
  notification: {
    type: 'voucher.created',
    id: newId(system),
    count: created.length,
    site: site.name,
    source: toSource(intent),
    createdAt: system.now(),
  },
  audit: {
    at: system.now(),
    actorKind: ordererKinds[intent.origin],
    actorName: intent.actorName,
    address,
    action: 'voucher.create',
    subjectKind: 'voucher',
    subjectId: null,
    subjectName: toTypedName(intent.name) || null,
    // Readers of the audit log must not get vouchers by that.
    detail: {
      site: site.name,
      siteId: site.id,
      ...(intent.origin !== 'api' && { count: created.length }),
      ...(intent.origin !== 'api' && intent.profileId === null && describeOwnValues(intent)),
    },
  },
  ...(intent.origin !== 'api' && {
    order: {
      reason:
        created.length < intent.count
          ? { code: 'only-some', values: { made: created.length, count: intent.count } }
          : null,
    },
  }),
});

/** What somebody chose in place of a profile. */
const describeOwnValues = ({
  expireMinutes,
  maxUses,
  down,
  up,
  quotaMb,
}: VoucherLimits): NewAuditEntry['detail'] => ({
  expireMinutes,
  maxUses,
  ...(down > 0 && { down }),
  ...(up > 0 && { up }),
  ...(quotaMb > 0 && { quotaMb }),
});

/** A voucher of an intent as its client sees it. */
export const toCreatedVoucher = (
  { maxUses, expireMinutes }: Intent,
  site: Pick<ConnectedSite, 'name'> & ShownCodes,
  code: string,
): CreatedVoucher => ({
  code,
  formattedCode: formatCode(code, site.controller.codeBlock),
  site: site.name,
  maxUses,
  expireMinutes,
});

/** Has the controller reported a code? */
export const hasCode = (voucher: ControllerVoucher | undefined): voucher is CodedVoucher =>
  voucher?.code !== undefined && voucher.code !== '';

/** The display form of a code: blocks of five, or as its controller wants them, joined by a dash. */
export const formatCode = (code: string, codeBlock?: number | null): string => {
  const block = codeBlock ?? 5;
  return block === 0 ? code : code.replaceAll(new RegExp(`(.{${String(block)}})(?=.)`, 'gu'), '$1-');
};

const padTwoDigits = (number: number): string => String(number).padStart(2, '0');

/**
 * The stored name of a voucher: the server's local date, an underscore, and the client's name, which may be
 * empty.
 */
export const buildStoredName = (name: string, at: number): string => {
  const date = new Date(at);
  const year = String(date.getFullYear()).padStart(4, '0');
  const day = `${year}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}`;
  return `${day}_${name}`;
};

interface RecordConflictDeps {
  tables: VoucherTables;
  system: System;
  log: Log;
}

/** An order whose vouchers are already recorded for another order. */
interface RecordConflict {
  readonly intent: Intent;
  readonly site: ConnectedSite;
  /** The vouchers of which one, or all, are already recorded. */
  readonly created: readonly CodedVoucher[];
  /** Records vouchers for the order; false when one of them is already recorded, too. */
  record(vouchers: readonly CodedVoucher[]): Promise<boolean>;
  /** The order's deadline. */
  readonly signal: AbortSignal;
}

/** Gives other orders in the same situation time to record theirs. */
const retryPauseMs = 50;

/**
 * Finds other vouchers for an order, records them and returns their codes. Some controllers do not say which
 * vouchers they created for an order, only when. Of matching orders in the same second, one may then record
 * the vouchers of another, even in another process. There are as many vouchers as were ordered, and each is
 * recorded once, so enough are left for each order: they are searched for until the deadline.
 */
export const makeResolveRecordConflict =
  ({ tables, system, log }: RecordConflictDeps) =>
  async ({
    intent,
    site,
    created,
    record,
    signal,
  }: RecordConflict): Promise<readonly string[] | undefined> => {
    const times = created.flatMap(({ createdAt }) => createdAt ?? []);
    const range = { from: Math.min(...times), to: Math.max(...times) };
    const { find } = site.controller;

    const findUnrecorded = async (): Promise<CodedVoucher[]> => {
      const found: CodedVoucher[] = [];
      const isMatch = (voucher: ControllerVoucher): boolean =>
        created.some((one) => voucher.name === one.name && hasSameLimits(voucher, one)) &&
        isUntouched(voucher);
      for await (const voucher of site.controller.createdIn(site.controllerSite, [range], signal))
        if (hasCode(voucher) && isMatch(voucher)) found.push(voucher);
      return shuffle(await tables.vouchers.unrecorded(site.controllerId, found), system);
    };

    const attempt = async (): Promise<readonly string[] | undefined> => {
      // The reconciler may already have recorded matching vouchers for this intent.
      const recorded = await tables.vouchers.ofIntent(intent.id);
      if (recorded.length > 0) return recorded.map(({ code }) => code);
      // These are its vouchers, and no others.
      if (find) return undefined;
      for (const vouchers of chunk(await findUnrecorded(), intent.count))
        if (await record(vouchers)) return vouchers.map(({ code }) => code);
      return undefined;
    };

    let lastError: unknown;
    do {
      try {
        const codes = await attempt();
        if (codes) return codes;
      } catch (error) {
        // The controller may answer at the next attempt.
        lastError = error;
      }
      if (!find) await pause(retryPauseMs, undefined, { signal }).catch(() => undefined);
    } while (!find && !signal.aborted);
    log.warn(
      { err: lastError, intent: intent.id },
      'no unrecorded voucher found before the deadline; left to the reconciler',
    );
    return undefined;
  };

/** In pieces of this size; what is left over is in none. */
export const chunk = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.floor(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** In random order, so that concurrent orders do not all try the same voucher first. */
const shuffle = <T>(items: readonly T[], system: System): T[] =>
  items
    .map((item) => ({ item, key: system.randomBytes(4).readUInt32BE() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
