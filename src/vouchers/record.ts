import { setTimeout as pause } from 'node:timers/promises';
import type { ControllerVoucher } from '../controllers/controller.js';
import { hasSameLimits, isUntouched } from '../controllers/match.js';
import type { Log } from '../lib/log.js';
import { newId, type System } from '../lib/system.js';
import type { ConnectedSite } from '../sites/siteDirectory.js';
import type { NewAuditEntry } from '../storage/auditLog.js';
import type { Intent } from '../storage/intents.js';
import type { Storage } from '../storage/storage.js';
import type { VoucherRecord } from '../storage/vouchers.js';

/** A created voucher as its client sees it. */
export interface CreatedVoucher {
  readonly code: string;
  readonly formattedCode: string;
  readonly site: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
}

/** A voucher with a code, which is needed to record it. */
export type CodedVoucher = ControllerVoucher & { readonly code: string };

/** Builds the record of an intent's voucher, for the order or for the reconciler. */
export const buildVoucherRecord = (
  intent: Intent,
  site: Pick<ConnectedSite, 'id' | 'name' | 'controllerId'>,
  made: CodedVoucher,
  system: System,
  /** Where the request came from, if that is known. */
  address: string | null = null,
): { created: CreatedVoucher; record: VoucherRecord } => {
  const created = {
    code: made.code,
    formattedCode: formatCode(made.code),
    site: site.name,
    maxUses: intent.maxUses,
    expireMinutes: intent.expireMinutes,
  };
  return {
    created,
    record: {
      intentId: intent.id,
      siteId: site.id,
      controllerId: site.controllerId,
      controllerVoucherId: made.id,
      voucher: {
        code: made.code,
        name: intent.name,
        maxUses: intent.maxUses,
        expireMinutes: intent.expireMinutes,
        status: 'valid',
        usedCount: 0,
        createdAt: intent.createdAt,
        expiresAt: made.expiresAt,
      },
      notification: {
        id: newId(system),
        count: 1,
        site: site.name,
        source: intent.source,
        createdAt: system.now(),
      },
      audit: {
        at: system.now(),
        ...findActor(intent.source),
        address,
        action: 'voucher.create',
        subjectKind: 'voucher',
        subjectId: null,
        subjectName: intent.name,
        // Whoever may read the audit log must not get vouchers by that.
        detail: { site: site.name, siteId: site.id },
      },
    },
  };
};

const keySource = 'API: ';

/** How an order of a key says who placed it. */
export const sourceOfKey = (name: string): string => keySource + name;

const findActor = (source: string): Pick<NewAuditEntry, 'actorKind' | 'actorName'> =>
  source.startsWith(keySource)
    ? { actorKind: 'key', actorName: source.slice(keySource.length) }
    : { actorKind: 'user', actorName: source };

/** Has the controller reported a code? */
export const hasCode = (voucher: ControllerVoucher | undefined): voucher is CodedVoucher =>
  voucher?.code !== undefined && voucher.code !== '';

/** The display form of a code: blocks of five, joined by a dash. */
export const formatCode = (code: string): string => code.replaceAll(/(.{5})(?=.)/gu, '$1-');

const padTwoDigits = (number: number): string => String(number).padStart(2, '0');

/** The stored name of a voucher: the server's local date, an underscore, and the client's name. */
export const buildStoredName = (name: string, at: number): string => {
  const date = new Date(at);
  const year = String(date.getFullYear()).padStart(4, '0');
  return `${year}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}_${name}`;
};

interface RecordConflictDeps {
  storage: Storage;
  system: System;
  log: Log;
}

/** An order whose voucher is already recorded for another order. */
interface RecordConflict {
  readonly intent: Intent;
  readonly site: ConnectedSite;
  /** The voucher that is already recorded. */
  readonly made: CodedVoucher;
  /** Records a voucher for the order; undefined when it is already recorded, too. */
  record(voucher: CodedVoucher): Promise<CreatedVoucher | undefined>;
  /** The order's deadline. */
  readonly signal: AbortSignal;
}

/** Gives other orders in the same situation time to record theirs. */
const retryPauseMs = 50;

/**
 * Finds another voucher for an order. Some controllers do not say which voucher they created for an order, only when.
 * Of matching orders in the same second, one may then record the voucher of another, even in another process. There are
 * as many vouchers as orders, and each is recorded once, so one is left for each order: it is searched for until the
 * deadline.
 */
export const makeResolveRecordConflict =
  ({ storage, system, log }: RecordConflictDeps) =>
  async ({ intent, site, made, record, signal }: RecordConflict): Promise<CreatedVoucher | undefined> => {
    const findUnrecorded = async (): Promise<CodedVoucher[]> => {
      const found: CodedVoucher[] = [];
      const range = { from: made.createdAt, to: made.createdAt };
      for await (const voucher of site.controller.createdIn(site.controllerSite, [range], signal)) {
        const isMatch = voucher.name === made.name && hasSameLimits(voucher, made) && isUntouched(voucher);
        if (isMatch && hasCode(voucher)) found.push(voucher);
      }
      return shuffle(await storage.vouchers.unrecorded(site.controllerId, found), system);
    };

    const attempt = async (): Promise<CreatedVoucher | undefined> => {
      // The reconciler may already have recorded a matching voucher for this intent.
      const code = await storage.vouchers.codeOf(intent.id);
      if (code !== undefined) return toCreatedVoucher(intent, site, code);
      for (const voucher of await findUnrecorded()) {
        const created = await record(voucher);
        if (created) return created;
      }
      return undefined;
    };

    let lastError: unknown;
    do {
      try {
        const created = await attempt();
        if (created) return created;
      } catch (error) {
        // The controller may answer at the next attempt.
        lastError = error;
      }
      await pause(retryPauseMs, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted);
    log.warn(
      { err: lastError, intent: intent.id },
      'no unrecorded voucher found before the deadline; left to the reconciler',
    );
    return undefined;
  };

const toCreatedVoucher = (
  { maxUses, expireMinutes }: Intent,
  site: ConnectedSite,
  code: string,
): CreatedVoucher => ({
  code,
  formattedCode: formatCode(code),
  site: site.name,
  maxUses,
  expireMinutes,
});

/** In random order, so that concurrent orders do not all try the same voucher first. */
const shuffle = <T>(items: readonly T[], system: System): T[] =>
  items
    .map((item) => ({ item, key: system.randomBytes(4).readUInt32BE() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
