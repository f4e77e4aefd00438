import { setTimeout as pause } from 'node:timers/promises';
import type { ControllerVoucher } from '../controllers/controller.js';
import { hasSameLimits, isUntouched } from '../controllers/match.js';
import type { Log } from '../lib/log.js';
import { newId, type System } from '../lib/system.js';
import type { ConnectedSite } from '../sites/siteDirectory.js';
import type { Intent } from '../storage/intents.js';
import type { Storage } from '../storage/storage.js';
import type { VoucherRecord } from '../storage/vouchers.js';

/** What the client of a created voucher is told. */
export interface CreatedVoucher {
  readonly code: string;
  readonly formattedCode: string;
  readonly site: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
}

/** A voucher that can be recorded. */
export type CodedVoucher = ControllerVoucher & { readonly code: string };

/** What is recorded for a voucher that a controller has made of an intent, by the order or by the reconciler. */
export const buildVoucherRecord = (
  intent: Intent,
  site: Pick<ConnectedSite, 'id' | 'name' | 'controllerId'>,
  made: CodedVoucher,
  system: System,
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
    },
  };
};

export const hasCode = (voucher: ControllerVoucher | undefined): voucher is CodedVoucher =>
  voucher?.code !== undefined && voucher.code !== '';

/** The display form of a code: blocks of five, joined by a dash. */
export const formatCode = (code: string): string => code.replaceAll(/(.{5})(?=.)/gu, '$1-');

const padTwoDigits = (number: number): string => String(number).padStart(2, '0');

/** The name under which a voucher is stored: the server's local date, an underscore, and the client's name. */
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

/** An order whose voucher somebody else has recorded. */
interface RecordConflict {
  readonly intent: Intent;
  readonly site: ConnectedSite;
  /** The voucher that is recorded already. */
  readonly made: CodedVoucher;
  /** Records a voucher for the order; undefined when that one is recorded already, too. */
  record(voucher: CodedVoucher): Promise<CreatedVoucher | undefined>;
  /** The order's deadline. */
  readonly signal: AbortSignal;
}

/** Others who look for theirs need a moment to record it. */
const retryPauseMs = 50;

/**
 * Some controllers do not say which voucher they made for an order, only when. Of orders that look alike, in the same
 * second, one may then record another's voucher, in this process or in another. There are as many vouchers as orders,
 * and each is recorded once, so one is left for everybody: it is looked for while there is time.
 */
export const makeResolveRecordConflict =
  ({ storage, system, log }: RecordConflictDeps) =>
  async ({ intent, site, made, record, signal }: RecordConflict): Promise<CreatedVoucher | undefined> => {
    const findUnrecorded = async (): Promise<CodedVoucher[]> => {
      const found: CodedVoucher[] = [];
      const range = { from: made.createdAt, to: made.createdAt };
      for await (const voucher of site.controller.createdIn(site.controllerSite, [range], signal)) {
        const isAlike = voucher.name === made.name && hasSameLimits(voucher, made) && isUntouched(voucher);
        if (isAlike && hasCode(voucher)) found.push(voucher);
      }
      return shuffle(await storage.vouchers.unrecorded(site.controllerId, found), system);
    };

    const attempt = async (): Promise<CreatedVoucher | undefined> => {
      // The reconciler may have been faster, with this voucher or with one like it.
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
        // A controller that fails to answer now may do so in a moment.
        lastError = error;
      }
      await pause(retryPauseMs, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted);
    log.warn({ err: lastError, intent: intent.id }, 'no voucher left for an order in time; reconciled later');
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

/** Several who look at the same time do not all begin with the same one. */
const shuffle = <T>(items: readonly T[], system: System): T[] =>
  items
    .map((item) => ({ item, place: system.randomBytes(4).readUInt32BE() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
