import { setTimeout as pause } from 'node:timers/promises';
import { hasSameLimits, isUntouched } from '../controllers/match.js';
import type { Effects } from '../effects.js';
import type { Log } from '../log.js';
import type { Site } from '../sites/directory.js';
import type { Intent } from '../storage/intents.js';
import type { Storage } from '../storage/storage.js';
import { formatCode } from './code.js';
import { hasCode, type CodedVoucher, type CreatedVoucher } from './recording.js';

export interface RecordAlikeOptions {
  storage: Storage;
  effects: Effects;
  log: Log;
  /** How long an order may take. */
  deadlineMs: number;
}

/** An order whose voucher somebody else has recorded. */
export interface Conflict {
  readonly intent: Intent;
  readonly site: Site;
  /** The voucher that is recorded already. */
  readonly made: CodedVoucher;
  /** Records a voucher for the order; undefined when that one is recorded already, too. */
  record(voucher: CodedVoucher): Promise<CreatedVoucher | undefined>;
}

/** Others who look for theirs need a moment to record it. */
const pauseMs = 50;

/**
 * Some controllers do not say which voucher they made for an order, only when. Of orders that look alike, in the same
 * second, one may then record another's voucher, in this process or in another. There are as many vouchers as orders,
 * and each is recorded once, so one is left for everybody: it is looked for while there is time.
 */
export const makeRecordAlike =
  ({ storage, effects, log, deadlineMs }: RecordAlikeOptions) =>
  async ({ intent, site, made, record }: Conflict): Promise<CreatedVoucher | undefined> => {
    const leftMs = (): number => intent.createdAt + deadlineMs - effects.now();
    const signal = AbortSignal.timeout(Math.max(1, Math.min(leftMs(), deadlineMs)));

    const findUnrecorded = async (): Promise<CodedVoucher[]> => {
      const found: CodedVoucher[] = [];
      const range = { from: made.createdAt, to: made.createdAt };
      for await (const voucher of site.controller.createdIn(site.controllerSite, [range], signal)) {
        const isAlike = voucher.name === made.name && hasSameLimits(voucher, made) && isUntouched(voucher);
        if (isAlike && hasCode(voucher)) found.push(voucher);
      }
      return shuffle(await storage.vouchers.unrecorded(site.controllerId, found), effects);
    };

    const attempt = async (): Promise<CreatedVoucher | undefined> => {
      // The reconciler may have been faster, with this voucher or with one like it.
      const code = await storage.vouchers.codeOf(intent.id);
      if (code !== undefined) return answerOf(intent, site, code);
      for (const voucher of await findUnrecorded()) {
        const created = await record(voucher);
        if (created) return created;
      }
      return undefined;
    };

    let lastError: unknown;
    while (!signal.aborted) {
      try {
        const created = await attempt();
        if (created) return created;
      } catch (error) {
        // A controller that fails to answer now may do so in a moment.
        lastError = error;
      }
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    log.warn({ err: lastError, intent: intent.id }, 'no voucher left for an order in time; reconciled later');
    return undefined;
  };

const answerOf = ({ maxUses, expireMinutes }: Intent, site: Site, code: string): CreatedVoucher => ({
  code,
  formattedCode: formatCode(code),
  site: site.name,
  maxUses,
  expireMinutes,
});

/** Several who look at the same time do not all begin with the same one. */
const shuffle = <T>(items: readonly T[], effects: Effects): T[] =>
  items
    .map((item) => ({ item, place: effects.randomBytes(4).readUInt32BE() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
