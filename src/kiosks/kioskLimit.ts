import type { System } from '../lib/system.js';
import { limitExceeded, type WindowCounter } from '../rateLimit/windowCounter.js';
import type { StoredKiosk } from './kioskTable.js';

/** A kiosk hands out `perHour` vouchers in such a window. */
export const kioskWindowMs = 3_600_000;

/** Guests may try this many times as often as they may get a voucher. */
const maxAttemptsPerVoucher = 10;

/** Counts one voucher of this hour, and returns what takes it back. Throws `Problem` when the hour has no more. */
export const makeReserveVoucher =
  ({ count, takeBack }: WindowCounter, system: System) =>
  async ({ id, perHour }: Pick<StoredKiosk, 'id' | 'perHour'>): Promise<() => Promise<void>> => {
    const key = `kiosk:${String(id)}`;
    const taken = await count(key);
    const end = system.now() + taken.leftMs;
    if (taken.points > perHour) {
      // Otherwise refused guests would count against a voucher that is taken back.
      await takeBack(key);
      throw limitExceeded(taken, kioskWindowMs);
    }
    // Orders that fail are taken back, so attempts are counted, too.
    const attempts = await count(`kiosk-attempts:${String(id)}`);
    if (attempts.points > maxAttemptsPerVoucher * perHour) {
      await takeBack(key);
      throw limitExceeded(attempts, kioskWindowMs);
    }
    return async () => {
      if (system.now() < end) await takeBack(key);
    };
  };
