import type { VoucherOrder } from '../controller.js';
import { asText } from '../parsing.js';
import { pickLimits, type VoucherLimits } from '../voucherLimits.js';

/** What the comment of a user says about the voucher that it is. */
export interface VoucherLabel extends VoucherLimits {
  readonly reference: string;
  readonly name: string;
  /** The hotspot server that it is for; null for all. */
  readonly site: string | null;
  readonly createdAt: number;
  /** When it was first used, and by how many devices at the same time, where we have to remember it. */
  readonly firstUse?: FirstUse | undefined;
}

export interface FirstUse {
  readonly at: number;
  readonly devices: number;
}

export const toVoucherLabel = (order: VoucherOrder, now: number): VoucherLabel => ({
  ...pickLimits(order),
  reference: order.reference,
  name: order.name,
  site: order.controllerSite,
  createdAt: toSeconds(now) * 1000,
});

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

/** RouterOS does not promise to keep more than ASCII. The name stays legible for who looks at the router. */
const encode = (text: string, kept: RegExp): string =>
  Array.from(text, (character) =>
    kept.test(character)
      ? character
      : [...Buffer.from(character)]
          .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
          .join(''),
  ).join('');

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // It was cut, or changed by hand.
    return text;
  }
};

const inWords = /^[!-$&-~]$/;
const inText = /^[ -$&-~]$/;

/** The name comes last: it is what may be cut. */
export const formatVoucherLabel = (label: VoucherLabel): string => {
  const { reference, name, site, createdAt, firstUse } = label;
  const { expireMinutes, maxUses, down, up, quotaMb } = label;
  return [
    'voucherd',
    `ref=${encode(reference, inWords)}`,
    `made=${String(toSeconds(createdAt))}`,
    `limits=${[expireMinutes, maxUses, down, up, quotaMb].join(',')}`,
    ...(site === null ? [] : [`site=${encode(site, inWords)}`]),
    ...(firstUse ? [`used=${String(toSeconds(firstUse.at))}x${String(firstUse.devices)}`] : []),
    `name=${encode(name, inText)}`,
  ].join(' ');
};

const pattern =
  /^voucherd ref=(\S+) made=(\d{1,12}) limits=(\d{1,10}),(\d{1,10}),(\d{1,10}),(\d{1,10}),(\d{1,10})(?: site=(\S+))?(?: used=(\d{1,12})x(\d{1,6}))? name=(.*)$/;

/** Undefined for the comment of a user that is no voucher of ours. */
export const parseVoucherLabel = (comment: unknown): VoucherLabel | undefined => {
  const match = pattern.exec(asText(comment) ?? '');
  if (!match) return undefined;
  const [, reference = '', made, minutes, uses, down, up, quota, site, usedAt, devices, name = ''] = match;
  return {
    reference: decode(reference),
    name: decode(name),
    site: site === undefined ? null : decode(site),
    createdAt: Number(made) * 1000,
    expireMinutes: Number(minutes),
    maxUses: Number(uses),
    down: Number(down),
    up: Number(up),
    quotaMb: Number(quota),
    firstUse: usedAt === undefined ? undefined : { at: Number(usedAt) * 1000, devices: Number(devices) },
  };
};
