import { hash } from 'node:crypto';
import { Problem } from '../errors/problem.js';
import { networkOf } from '../lib/addresses.js';
import type { System } from '../lib/system.js';
import { limitExceeded, type WindowCounter } from '../rateLimit/windowCounter.js';
import type { StoredKiosk } from './kioskTable.js';

/** A kiosk hands out `perHour` vouchers in such a window. */
export const kioskWindowMs = 3_600_000;

/** Guests may try this many times as often as they may get a voucher. */
const maxAttemptsPerVoucher = 10;

/**
 * A browser without cookies counts as new each time, so an address, which many devices may share,
 * has a limit of its own: this many times that of a device.
 */
const devicesPerAddress = 10;

/** Counts in windows of one length. */
export type CountersByMinutes = (minutes: number) => WindowCounter;

/** Who takes a voucher. */
export interface Taker {
  /** The id in the cookie of the browser; undefined without a valid one. */
  readonly deviceId: string | undefined;
  readonly address: string;
}

/** A place within a limit. */
interface Place {
  readonly counter: WindowCounter;
  readonly windowMs: number;
  readonly key: string;
  readonly max: number;
  /** What somebody is told when there is none. */
  readonly message: 'kiosk-limit' | 'device-limit';
}

/**
 * What is counted. `voucher`: the hour of the page, and the device and its address where they are limited.
 * `request`, which staff may refuse: only device and address,
 * so that one person can't use up the hour for everybody; but no request is taken when the hour is used up
 * already. `approval`: only the hour, for a request that was counted before.
 */
type CountedAs = 'voucher' | 'request' | 'approval';

type LimitedKiosk = Pick<StoredKiosk, 'id' | 'perHour' | 'perDevice' | 'deviceMinutes' | 'slug'>;

export interface VoucherLimit {
  /** Returns what refunds it. Throws `Problem` when there is no more, and then nothing is counted. */
  reserve(kiosk: LimitedKiosk, taker: Taker, as: CountedAs): Promise<() => Promise<void>>;
  /**
   * Refunds the device of a request that was withdrawn. Its
   * address stays counted, so withdrawing has an end, too.
   */
  refundDevice(kiosk: LimitedKiosk, taker: Taker): Promise<void>;
}

export const makeVoucherLimit = (countersByMinutes: CountersByMinutes, system: System): VoucherLimit => {
  const hourly = countersByMinutes(kioskWindowMs / 60_000);
  return {
    reserve: async (kiosk, taker, as) => {
      const taken: { readonly place: Place; readonly end: number }[] = [];
      const refund = async (): Promise<void> => {
        for (const { place, end } of taken) if (system.now() < end) await place.counter.takeBack(place.key);
      };
      const take = async (place: Place): Promise<void> => {
        const count = await place.counter.count(place.key);
        taken.push({ place, end: system.now() + count.leftMs });
        if (count.points <= place.max) return;
        // Otherwise refused guests would count against a voucher that is taken back.
        await refund();
        throw refusalOf(place.message, limitExceeded(count, place.windowMs));
      };
      const ofHour = { counter: hourly, windowMs: kioskWindowMs, message: 'kiosk-limit' } as const;
      await take({ ...ofHour, key: `kiosk:${String(kiosk.id)}`, max: kiosk.perHour });
      const [hour] = taken;
      if (as !== 'approval')
        for (const place of devicePlaces(kiosk, taker, countersByMinutes)) await take(place);
      if (as === 'request') {
        taken.shift();
        await hour?.place.counter.takeBack(hour.place.key);
        return refund;
      }
      // Orders that fail are taken back, so attempts are counted, too.
      for (const { key, max, message } of attemptPlaces(kiosk, taker, as)) {
        const attempts = await hourly.count(key);
        if (attempts.points <= max) continue;
        await refund();
        throw refusalOf(message, limitExceeded(attempts, kioskWindowMs));
      }
      return refund;
    },
    refundDevice: async (kiosk, taker) => {
      const [device] = devicePlaces(kiosk, taker, countersByMinutes);
      await device?.counter.takeBack(device.key);
    },
  };
};

/** Of those of a public page, an address has half: alone, nobody closes it for all others. */
const attemptPlaces = (
  { id, perHour, slug }: LimitedKiosk,
  { address }: Taker,
  as: CountedAs,
): Pick<Place, 'key' | 'max' | 'message'>[] => {
  const ofPage = `kiosk-attempts:${String(id)}`;
  const max = maxAttemptsPerVoucher * perHour;
  const ofAddress = `${ofPage}:${hash('sha256', networkOf(address), 'hex')}`;
  return [
    ...(slug === null || as === 'approval'
      ? []
      : [{ key: ofAddress, max: max / 2, message: 'device-limit' } as const]),
    { key: ofPage, max, message: 'kiosk-limit' },
  ];
};

const devicePlaces = (
  { id, perDevice, deviceMinutes }: Pick<StoredKiosk, 'id' | 'perDevice' | 'deviceMinutes'>,
  { deviceId, address }: Taker,
  countersByMinutes: CountersByMinutes,
): Place[] => {
  if (perDevice === null) return [];
  const counter = countersByMinutes(deviceMinutes);
  const shared = { counter, windowMs: deviceMinutes * 60_000, message: 'device-limit' } as const;
  const keyOf = (kind: string, value: string): string =>
    `kiosk-${kind}:${String(id)}:${String(deviceMinutes)}:${hash('sha256', value, 'hex')}`;
  const network = networkOf(address);
  return [
    {
      ...shared,
      key: deviceId === undefined ? keyOf('unknown', network) : keyOf('device', deviceId),
      max: perDevice,
    },
    { ...shared, key: keyOf('address', network), max: devicesPerAddress * perDevice },
  ];
};

const refusalOf = (message: Place['message'], { code, values, headers }: Problem): Problem =>
  new Problem(code, { ...values, message }, headers);
