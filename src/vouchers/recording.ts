import type { ControllerVoucher } from '../controllers/controller.js';
import type { Effects } from '../effects.js';
import { newId } from '../effects.js';
import type { Site } from '../sites/directory.js';
import type { Intent } from '../storage/intents.js';
import type { VoucherRecord } from '../storage/vouchers.js';
import { formatCode } from './code.js';

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
export const recordOf = (
  intent: Intent,
  site: Pick<Site, 'id' | 'name' | 'controllerId'>,
  made: CodedVoucher,
  effects: Effects,
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
        id: newId(effects),
        count: 1,
        site: site.name,
        source: intent.source,
        createdAt: effects.now(),
      },
    },
  };
};

export const hasCode = (voucher: ControllerVoucher | undefined): voucher is CodedVoucher =>
  voucher?.code !== undefined && voucher.code !== '';
