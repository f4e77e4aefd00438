import { makeDeadline } from '../controllers/deadline.js';
import type { Texts } from '../i18n/language.js';
import type { Log } from '../log/log.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { SiteDirectory } from '../controllers/siteDirectory.js';
import type { VoucherTables } from './voucherTables.js';
import type { StoredVoucher } from './voucherTable.js';
import { wordMessage } from '../i18n/messages.js';
import { describeOrderReason, toOrderReason } from './orderReasons.js';
import { toTypedName } from '../lib/label.js';
import { formatCode } from './record.js';

type RevocableVoucher = Pick<
  StoredVoucher,
  'id' | 'siteId' | 'code' | 'codeBlock' | 'name' | 'controllerVoucherId'
>;

interface RevokeVoucherDeps {
  readonly tables: Pick<VoucherTables, 'vouchers'>;
  readonly sites: Pick<SiteDirectory, 'find'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a controller may take for one voucher. */
  readonly deadlineMs: number;
}

/** Gone: it was not on its controller any more. */
export type RevokeOutcome = 'revoked' | 'gone' | 'controller-removed';

/**
 * Revokes a voucher on its controller and in the records. The controller comes first: if that fails, the
 * record still shows the voucher as usable. Throws what the controller throws.
 */
export type RevokeVoucher = (
  voucher: RevocableVoucher,
  actor: Actor,
  signal?: AbortSignal,
) => Promise<RevokeOutcome>;

export const makeRevokeVoucher =
  ({ tables, sites, clock, log, deadlineMs }: RevokeVoucherDeps): RevokeVoucher =>
  async (voucher, actor, outer) => {
    const site = await sites.find(voucher.siteId);
    if (!site) return 'controller-removed';
    const { controller, controllerSite } = site;
    const { signal, end } = makeDeadline(deadlineMs, outer);
    try {
      const id =
        voucher.controllerVoucherId ??
        (await findControllerVoucherId(controller.list(controllerSite, signal), voucher.code));
      if (id !== undefined) {
        await controller.revoke(controllerSite, id, signal);
        // Revoked it is in any case; a guest who stays online is seen by the sync.
        await controller.disconnect?.(controllerSite, id, signal).catch((error: unknown) => {
          log.warn({ err: error, voucher: voucher.id, site: site.id }, 'guest not disconnected');
        });
      }
      const audit = draftAudit(actor, 'voucher.revoke', clock.now(), {
        site: site.name,
        siteId: site.id,
        // It is of no use to anybody any more, and tells vouchers with one name apart.
        code: formatCode(voucher.code, voucher.codeBlock),
      });
      await tables.vouchers.revoke(voucher, clock.now(), {
        ...audit,
        subjectKind: 'voucher',
        subjectId: String(voucher.id),
        subjectName: toTypedName(voucher.name) || null,
      });
      return id === undefined ? 'gone' : 'revoked';
    } finally {
      end();
    }
  };

/** Finds a voucher that was recorded without the controller's id by its code. */
const findControllerVoucherId = async (
  list: AsyncIterable<{ readonly id: string | null; readonly code: string | undefined }>,
  code: string,
): Promise<string | undefined> => {
  for await (const voucher of list) if (voucher.code === code && voucher.id !== null) return voucher.id;
  return undefined;
};

/** What became of each of several vouchers. */
export interface Revocations {
  readonly revoked: readonly number[];
  readonly failed: readonly { readonly voucherId: number; readonly reason: Texts }[];
}

/** Revokes several vouchers, as far as that works in time. */
export type RevokeVouchers = (vouchers: readonly StoredVoucher[], actor: Actor) => Promise<Revocations>;

interface RevokeVouchersDeps {
  readonly revokeVoucher: RevokeVoucher;
  readonly log: Log;
  /** How long all of them may take. */
  readonly totalMs: number;
}

/** More at once a console would throttle. */
const maxInFlight = 4;

export const makeRevokeVouchers =
  ({ revokeVoucher, log, totalMs }: RevokeVouchersDeps): RevokeVouchers =>
  async (vouchers, actor) => {
    const { signal, end } = makeDeadline(totalMs);

    const attempt = async (voucher: StoredVoucher): Promise<Texts | undefined> => {
      if (voucher.revokedAt !== null) return undefined;
      if (signal.aborted) return wordMessage('revocation', { code: 'too-late', values: {} });
      try {
        const outcome = await revokeVoucher(voucher, actor, signal);
        return outcome === 'controller-removed'
          ? wordMessage('revocation', { code: 'controller-removed', values: {} })
          : undefined;
      } catch (error) {
        log.warn({ err: error, voucher: voucher.id, site: voucher.siteId }, 'voucher not revoked');
        return describeOrderReason(toOrderReason(error));
      }
    };

    const reasons = new Map<number, Texts | undefined>();
    const waiting = [...vouchers];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        reasons.set(next.id, await attempt(next));
    };
    try {
      await Promise.all(Array.from({ length: maxInFlight }, work));
    } finally {
      end();
    }
    return {
      revoked: vouchers.flatMap(({ id }) => (reasons.get(id) ? [] : [id])),
      failed: vouchers.flatMap(({ id }) => {
        const reason = reasons.get(id);
        return reason ? [{ voucherId: id, reason }] : [];
      }),
    };
  };
