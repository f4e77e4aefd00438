import { readId, readText, type RawSearch } from '../lib/search.ts';
import { typedName, type Voucher } from './voucher.ts';

/** What the front desk is opened with: the form is filled in, and nothing is ordered. */
export interface DeskSearch {
  readonly name?: string | undefined;
  readonly siteId?: number | undefined;
  /** Its name, because vouchers know no more of it. */
  readonly profile?: string | undefined;
  readonly maxUses?: number | undefined;
  readonly expireMinutes?: number | undefined;
  readonly down?: number | undefined;
  readonly up?: number | undefined;
  readonly quotaMb?: number | undefined;
}

const maxTextLength = 255;

const readShort = (value: unknown): string | undefined => readText(value)?.slice(0, maxTextLength);

export const readDeskSearch = (search: RawSearch): DeskSearch => ({
  name: readShort(search['name']),
  siteId: readId(search['siteId']),
  profile: readShort(search['profile']),
  maxUses: readId(search['maxUses']),
  expireMinutes: readId(search['expireMinutes']),
  down: readId(search['down']),
  up: readId(search['up']),
  quotaMb: readId(search['quotaMb']),
});

/** The same for the same guest once more. */
export const toDeskSearch = (voucher: Voucher): DeskSearch => ({
  name: typedName(voucher.name) || undefined,
  siteId: voucher.siteId,
  ...(voucher.profileName === null
    ? {
        maxUses: voucher.maxUses,
        expireMinutes: voucher.expireMinutes,
        down: voucher.down || undefined,
        up: voucher.up || undefined,
        quotaMb: voucher.quotaMb || undefined,
      }
    : { profile: voucher.profileName }),
});
