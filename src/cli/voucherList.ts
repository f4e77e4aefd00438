import type { VoucherStatus } from '../storage/vouchers.js';
import { formatCode } from '../vouchers/code.js';
import { statusAt } from '../vouchers/listing.js';
import { CommandError, plain, printList, time, timestamp, wholeNumber, type Io } from './io.js';
import { siteWithId } from './siteWithId.js';
import { withStorage } from './withStorage.js';

export interface ListOptions {
  status?: string;
  name?: string;
  limit: string;
  json?: boolean;
}

const statuses: readonly VoucherStatus[] = ['valid', 'used', 'expired'];

export const listVouchers = (io: Io, given: string, options: ListOptions): Promise<void> =>
  withStorage(io, async ({ storage, clock }) => {
    const limit = wholeNumber('--limit', options.limit, 1, 10_000);
    const status = statusOf(options.status);
    const site = await siteWithId(storage, given);
    const now = clock.now();
    const found = await storage.voucherSearch.newest(
      site.id,
      { status, nameContains: options.name },
      now,
      limit,
    );
    printList(
      io,
      options.json,
      found.map((voucher) => ({
        code: voucher.code,
        formattedCode: formatCode(voucher.code),
        name: voucher.name,
        status: statusAt(voucher, now),
        usedCount: voucher.usedCount,
        maxUses: voucher.maxUses,
        expireMinutes: voucher.expireMinutes,
        createdAt: timestamp(voucher.createdAt),
        expiresAt: timestamp(voucher.expiresAt),
      })),
      (voucher) => ({
        code: plain(voucher.formattedCode),
        name: plain(voucher.name),
        status: voucher.status,
        uses: `${String(voucher.usedCount)} of ${String(voucher.maxUses)}`,
        minutes: String(voucher.expireMinutes),
        created: time(voucher.createdAt),
        expires: time(voucher.expiresAt),
      }),
      'no such vouchers',
    );
  });

const statusOf = (given: string | undefined): VoucherStatus | undefined => {
  if (given === undefined) return undefined;
  const status = statuses.find((one) => one === given);
  if (status) return status;
  throw new CommandError(`--status: "${given}" is not allowed: one of ${statuses.join(', ')}`);
};
