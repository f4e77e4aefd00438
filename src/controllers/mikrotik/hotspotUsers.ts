import { clampTime, type System } from '../../lib/system.js';
import type { ControllerVoucher } from '../controller.js';
import { asNumber, asText, type Fields } from '../parsing.js';
import { pickLimits, type VoucherLimits } from '../voucherLimits.js';
import { isUnknownReference } from './answer.js';
import { formatVoucherLabel, parseVoucherLabel, type FirstUse, type VoucherLabel } from './label.js';
import { makeProfileCache } from './profileCache.js';
import { idOf, type RestApi } from './restApi.js';
import { addNamed } from './namedItem.js';
import { endSessions } from './sessions.js';
import { bytesPerMb, type GuestStore, type Signal, type GuestUser } from './store.js';
import { asFlag, parseDurationMs } from './values.js';

const userMenu = '/ip/hotspot/user';
const profileMenu = '/ip/hotspot/user/profile';
const properties = ['.id', 'name', 'comment', 'disabled', 'uptime', 'bytes-in', 'bytes-out'];

/** A user of the hotspot, with what was seen of its use. */
interface HotspotUser extends GuestUser {
  readonly id: string;
  readonly firstUse: FirstUse | undefined;
  readonly isDisabled: boolean;
}

interface HotspotUsersOptions {
  readonly api: RestApi;
  /** The controller's name, for messages. */
  readonly name: string;
  readonly system: Pick<System, 'now'>;
}

/**
 * A voucher is a user of the hotspot. The hotspot itself only counts the time that a guest is connected,
 * so when a voucher was first used is noted in the comment of its user, and the user is disabled at its end.
 */
export const makeHotspotUsers = ({ api, name, system }: HotspotUsersOptions): GuestStore => {
  const profiles = makeProfileCache(name);

  const ensureProfile = (limits: VoucherLimits, signal: Signal): Promise<void> => {
    const { maxUses, down, up } = limits;
    const profile = profileOf(limits);
    const item = {
      name: profile,
      'shared-users': maxUses > 0 ? String(maxUses) : 'unlimited',
      // As the router sees it: what it receives comes first.
      ...((down > 0 || up > 0) && { 'rate-limit': `${rate(up)}/${rate(down)}` }),
    };
    // Others may wait for it, too, so it has no signal.
    const make = () => addNamed({ api, name, menu: profileMenu }, item);
    return profiles.ensure(profile, make, signal);
  };

  const read = async (codes: readonly string[] | undefined, signal: Signal): Promise<HotspotUser[]> => {
    const where = (property: string) => (codes ? { where: [property, codes] as const } : {});
    const users = await api.print(userMenu, { properties, ...where('name') }, signal);
    const isAnyOurs = users.some(({ comment }) => parseVoucherLabel(comment));
    const sessions = isAnyOurs
      ? await api.print('/ip/hotspot/active', { properties: ['user', 'uptime'], ...where('user') }, signal)
      : [];
    const byUser = groupByUser(sessions);
    return users.map((user) => toHotspotUser(user, byUser.get(user['name']) ?? [], system.now()));
  };

  return {
    find: (codes, signal) => read(codes, signal),
    all: async (signal) => {
      const users = await read(undefined, signal);
      for (const { id, code, label, firstUse, voucher, isDisabled } of users) {
        if (!label || !voucher || !firstUse) continue;
        const isNew = firstUse.at !== label.firstUse?.at || firstUse.devices !== label.firstUse.devices;
        const isOver = voucher.expired && !isDisabled;
        if (isNew || isOver)
          await api.change(
            userMenu,
            id,
            { comment: formatVoucherLabel({ ...label, firstUse }), ...(isOver && { disabled: 'true' }) },
            signal,
          );
        if (isOver) await endSessions(api, code, signal);
      }
      return users;
    },
    prepare: ensureProfile,
    add: async (code, label, signal) => {
      const item = {
        name: code,
        password: code,
        server: label.site ?? 'all',
        profile: profileOf(label),
        ...limitUptime(label),
        ...(label.quotaMb > 0 && { 'limit-bytes-total': String(label.quotaMb * bytesPerMb) }),
        comment: formatVoucherLabel(label),
      };
      let answer = await api.add(userMenu, item, signal);
      if (isUnknownReference(answer, 'profile')) {
        // It was deleted on the router.
        profiles.forget(profileOf(label));
        await ensureProfile(label, signal);
        answer = await api.add(userMenu, item, signal);
      }
      api.assertAdded(answer);
    },
    remove: async (code, signal) => {
      const where = ['name', [code]] as const;
      const users = await api.print(userMenu, { properties: ['.id', 'comment'], where }, signal);
      for (const user of users)
        if (parseVoucherLabel(user['comment'])) await api.remove(userMenu, idOf(user), signal);
    },
  };
};

/** Rates and devices belong to a profile: one for each combination. */
const profileOf = ({ maxUses, down, up }: VoucherLimits): string =>
  `vd-${String(maxUses)}-${String(down)}-${String(up)}`;

const maxUptimeMinutes = 35_000_000;

/**
 * Ends a guest who stays connected even while nobody looks after the router.
 * The time of several devices adds up, so it is as much as all of them can have.
 */
const limitUptime = ({ maxUses, expireMinutes }: VoucherLimits): Fields => {
  const minutes = expireMinutes * maxUses;
  return minutes > 0 && minutes <= maxUptimeMinutes ? { 'limit-uptime': `${String(minutes)}m` } : {};
};

const rate = (kbits: number): string => (kbits > 0 ? `${String(kbits)}k` : '0');

const groupByUser = (sessions: readonly Fields[]): Map<unknown, Fields[]> => {
  const groups = new Map<unknown, Fields[]>();
  for (const session of sessions) {
    const group = groups.get(session['user']);
    if (group) group.push(session);
    else groups.set(session['user'], [session]);
  }
  return groups;
};

const toHotspotUser = (user: Fields, sessions: readonly Fields[], now: number): HotspotUser => {
  const label = parseVoucherLabel(user['comment']);
  const shared = { id: idOf(user), code: asText(user['name']) ?? '', isDisabled: asFlag(user['disabled']) };
  if (!label || shared.code === '') return { ...shared, label, voucher: undefined, firstUse: undefined };
  const firstUse = findFirstUse(user, sessions, label, now);
  return { ...shared, label, firstUse, voucher: toVoucher(user, { ...shared, label, firstUse }, now) };
};

/**
 * A guest may have been connected for a while, and had pauses that nobody has seen:
 * the end is never too early. No guest was there before the voucher, whatever the router counts.
 */
const findFirstUse = (
  user: Fields,
  sessions: readonly Fields[],
  label: VoucherLabel,
  now: number,
): FirstUse | undefined => {
  const total = parseDurationMs(user['uptime']);
  if (!label.firstUse && total === 0 && sessions.length === 0) return undefined;
  // The time of several devices adds up.
  const each = label.maxUses > 0 ? total / label.maxUses : 0;
  const uptime = Math.max(each, ...sessions.map((session) => parseDurationMs(session['uptime'])));
  return {
    at: label.firstUse?.at ?? Math.max(label.createdAt, Math.floor((now - uptime) / 1000) * 1000),
    devices: Math.max(label.firstUse?.devices ?? 1, sessions.length),
  };
};

const toVoucher = (
  user: Fields,
  { code, label, firstUse, isDisabled }: Omit<HotspotUser, 'voucher' | 'label'> & { label: VoucherLabel },
  now: number,
): ControllerVoucher => {
  const lengthMs = label.expireMinutes * 60_000;
  const expiresAt = firstUse ? clampTime(firstUse.at + lengthMs) : null;
  const bytes = (asNumber(user['bytes-in']) ?? 0) + (asNumber(user['bytes-out']) ?? 0);
  const isUsedUp = label.quotaMb > 0 && bytes >= label.quotaMb * bytesPerMb;
  return {
    ...pickLimits(label),
    id: code,
    code,
    name: label.name,
    createdAt: clampTime(label.createdAt),
    usedCount: firstUse?.devices ?? 0,
    expiresAt,
    expired: isDisabled || isUsedUp || (expiresAt !== null && expiresAt <= now),
  };
};
