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
 * A browser without cookies counts as new each time, so an address, which many devices may share, has a limit of its own:
 * this many times that of a device.
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
 * Counts one voucher: of this hour, and of the device and its address where the kiosk limits them. Returns what refunds
 * it. Throws `Problem` when there is no more, and then nothing is counted.
 */
export const makeReserveVoucher =
  (countersByMinutes: CountersByMinutes, system: System) =>
  async (
    kiosk: Pick<StoredKiosk, 'id' | 'perHour' | 'perDevice' | 'deviceMinutes'>,
    taker: Taker,
  ): Promise<() => Promise<void>> => {
    const hourly = countersByMinutes(kioskWindowMs / 60_000);
    const id = String(kiosk.id);
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
    await take({ ...ofHour, key: `kiosk:${id}`, max: kiosk.perHour });
    for (const place of devicePlaces(kiosk, taker, countersByMinutes)) await take(place);
    // Orders that fail are taken back, so attempts are counted, too.
    const attempts = await hourly.count(`kiosk-attempts:${id}`);
    if (attempts.points > maxAttemptsPerVoucher * kiosk.perHour) {
      await refund();
      throw refusalOf('kiosk-limit', limitExceeded(attempts, kioskWindowMs));
    }
    return refund;
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
