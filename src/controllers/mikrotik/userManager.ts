import { clampTime, type System } from '../../lib/system.js';
import type { ControllerVoucher } from '../controller.js';
import { ControllerError, OutcomeUnknown } from '../errors.js';
import { asNumber, asText, type Fields } from '../parsing.js';
import { pickLimits } from '../voucherLimits.js';
import { isDuplicate, isUnknownReference } from './answer.js';
import { formatVoucherLabel, parseVoucherLabel, type VoucherLabel } from './label.js';
import { makeManagedProfiles, profileOf } from './managedProfiles.js';
import { idOf, type RestApi } from './restApi.js';
import { bytesPerMb, type GuestStore, type Signal, type GuestUser } from './store.js';
import { asFlag, parseLocalTime } from './values.js';

const menu = '/user-manager';

/** The router's clock is read in whole seconds, and an answer takes a moment. */
const clockToleranceMs = 10_000;

/** How many users' sessions one call asks for. */
const usersPerCall = 100;

interface UserManagerOptions {
  readonly api: RestApi;
  /** The controller's name, for messages. */
  readonly name: string;
  readonly system: Pick<System, 'now'>;
  /** How long an order goes on at most, of whichever service. */
  readonly deadlineMs: number;
  isOrderOpen(reference: string): Promise<boolean>;
}

/** A voucher is a user of User Manager with a profile, whose validity starts at the first sign-in. */
export const makeUserManager = (options: UserManagerOptions): GuestStore => {
  const { api, name, system, deadlineMs, isOrderOpen } = options;
  const profiles = makeManagedProfiles({ api, name });
  /** What is added to the router's local time to get ours. */
  let localOffsetMs: number | undefined;

  /**
   * What moment of ours a local time of the router is; its zone
   * and its clock do not matter. Null where it has no clock.
   */
  const makeToOurTime = async (signal: Signal): Promise<ToOurTime> => {
    const { date, time } = api.propertiesOf(await api.read('/system/clock', signal));
    const local = parseLocalTime(`${asText(date) ?? ''} ${asText(time) ?? ''}`);
    const found = local === undefined ? localOffsetMs : system.now() - local;
    if (found === undefined) return () => null;
    if (localOffsetMs === undefined || Math.abs(found - localOffsetMs) > clockToleranceMs)
      localOffsetMs = found;
    const offset = localOffsetMs;
    return (moment) => clampTime(moment + offset);
  };

  const readSessions = (users: readonly string[] | undefined, signal: Signal): Promise<readonly Fields[]> => {
    const properties = ['user', 'calling-station-id', 'download', 'upload'];
    const where = users && (['user', users] as const);
    return api.print(`${menu}/session`, { properties, ...(where && { where }) }, signal);
  };

  /** Undefined where all sessions are more than an answer holds: they only grow. */
  const readAllSessions = (signal: Signal): Promise<readonly Fields[] | undefined> =>
    readSessions(undefined, signal).catch((error: unknown) => {
      if (!isTooLarge(error)) throw error;
      return undefined;
    });

  /** The sessions of those who have signed in, in parts. */
  const readStartedSessions = async (assigned: readonly Fields[], signal: Signal): Promise<Fields[]> => {
    const users = assigned.filter(hasStarted).flatMap(({ user }) => asText(user) ?? []);
    const parts: (readonly Fields[])[] = [];
    for (let first = 0; first < users.length; first += usersPerCall)
      parts.push(await readSessions(users.slice(first, first + usersPerCall), signal));
    return parts.flat();
  };

  const read = async (codes: readonly string[] | undefined, signal: Signal): Promise<GuestUser[]> => {
    const print = (path: string, name: string, properties: readonly string[]) =>
      api.print(`${menu}/${path}`, { properties, ...(codes && { where: [name, codes] as const }) }, signal);
    const users = await print('user', 'name', ['.id', 'name', 'comment', 'disabled']);
    if (!users.some(({ comment }) => parseVoucherLabel(comment)))
      return users.map(({ name }) => ({ code: asText(name) ?? '', label: undefined, voucher: undefined }));
    // Sessions come first: a guest who signs in between the
    // two calls has an end then, and at worst no device yet.
    const sessions = await (codes ? readSessions(codes, signal) : readAllSessions(signal));
    const assigned = await print('user-profile', 'user', ['user', 'profile', 'state', 'end-time']);
    const usage = usageOf(sessions ?? (await readStartedSessions(assigned, signal)));
    const toOurTime = assigned.some(hasStarted) ? await makeToOurTime(signal) : () => null;
    const profileOfUser = new Map(assigned.map((item) => [item['user'], item]));
    return users.map((user) => {
      const code = asText(user['name']) ?? '';
      const label = parseVoucherLabel(user['comment']);
      const profile = profileOfUser.get(code);
      if (!label || !profile || code === '') return { code, label, voucher: undefined };
      const use = usage.get(code) ?? unused;
      return {
        code,
        label,
        voucher: toVoucher({ code, label, user, profile, use }, toOurTime, system.now()),
      };
    });
  };

  const assignedTo = (code: string, signal: Signal): Promise<readonly Fields[]> =>
    api.print(`${menu}/user-profile`, { where: ['user', [code]] }, signal);

  /**
   * Gives a user its profile, and only once: a second one
   * would be used after the first, for the same time again.
   */
  const assign = async (code: string, label: VoucherLabel, signal: Signal): Promise<void> => {
    const item = { user: code, profile: profileOf(label) };
    let answer = await api.add(`${menu}/user-profile`, item, signal);
    if (isUnknownReference(answer, 'profile')) {
      // It was deleted on the router.
      profiles.forget(label);
      await profiles.ensure(label, signal);
      answer = await api.add(`${menu}/user-profile`, item, signal);
    }
    api.assertAdded(answer);
    // Another attempt may have done the same at the same time. Both keep the same one.
    const [, ...others] = (await assignedTo(code, signal)).map(idOf).sort();
    for (const id of others) await api.remove(`${menu}/user-profile`, id, signal);
  };

  const remove: GuestStore['remove'] = async (code, signal) => {
    const users = await api.print(`${menu}/user`, { where: ['name', [code]] }, signal);
    const ours = users.filter(({ comment }) => parseVoucherLabel(comment));
    if (ours.length === 0) return;
    // Without its profile a user can not sign in, should the next call be lost.
    for (const item of await assignedTo(code, signal))
      await api.remove(`${menu}/user-profile`, idOf(item), signal);
    for (const user of ours) await api.remove(`${menu}/user`, idOf(user), signal);
  };

  /**
   * Removes users that never got their profile, because the service was killed in between: nobody can sign in
   * with them. Only where other vouchers show theirs, and once more asked for by itself. An order that is not
   * settled may still give it to them; so may one of another service, until its deadline.
   */
  const removeLeftovers = async (users: readonly GuestUser[], signal: Signal): Promise<void> => {
    if (!users.some(({ voucher }) => voucher)) return;
    for (const { code, label, voucher } of users) {
      if (!label || voucher || label.createdAt >= system.now() - deadlineMs) continue;
      if (await isOrderOpen(label.reference)) continue;
      if ((await assignedTo(code, signal)).length === 0) await remove(code, signal);
    }
  };

  return {
    find: read,
    all: async (signal) => {
      const users = await read(undefined, signal);
      await removeLeftovers(users, signal);
      return users;
    },
    prepare: profiles.ensure,
    add: async (code, label, signal) => {
      const answer = await api.add(`${menu}/user`, toUser(code, label), signal);
      api.assertAdded(answer);
      try {
        // An earlier attempt may have come this far, or further.
        if (!isDuplicate(answer) || (await assignedTo(code, signal)).length === 0)
          await assign(code, label, signal);
      } catch (error) {
        if (!(error instanceof ControllerError)) throw error;
        // So that nothing of it remains.
        await remove(code, signal).catch(() => {
          throw new OutcomeUnknown(error.controller, error.failure);
        });
        throw error;
      }
    },
    remove,
  };
};

const toUser = (code: string, label: VoucherLabel): Fields => ({
  name: code,
  password: code,
  'shared-users': label.maxUses > 0 ? String(label.maxUses) : 'unlimited',
  comment: formatVoucherLabel(label),
});

interface Usage {
  readonly devices: ReadonlySet<unknown>;
  readonly bytes: number;
}

const unused: Usage = { devices: new Set(), bytes: 0 };

/** By user. */
const usageOf = (sessions: readonly Fields[]): ReadonlyMap<unknown, Usage> => {
  const usage = new Map<unknown, { readonly devices: Set<unknown>; bytes: number }>();
  for (const { user, download, upload, 'calling-station-id': device } of sessions) {
    const sum = usage.get(user) ?? { devices: new Set(), bytes: 0 };
    sum.devices.add(device);
    sum.bytes += (asNumber(download) ?? 0) + (asNumber(upload) ?? 0);
    usage.set(user, sum);
  }
  return usage;
};

/** The validity of a profile begins with the first sign-in. */
const hasStarted = (item: Fields): boolean => parseLocalTime(item['end-time']) !== undefined;

const isTooLarge = (error: unknown): boolean =>
  error instanceof ControllerError &&
  error.failure.kind === 'unreadable' &&
  error.failure.reason === 'too-large';

type ToOurTime = (local: number) => number | null;

interface VoucherParts {
  readonly code: string;
  readonly label: VoucherLabel;
  readonly user: Fields;
  readonly profile: Fields;
  readonly use: Usage;
}

const toVoucher = (
  { code, label, user, profile, use }: VoucherParts,
  toOurTime: ToOurTime,
  now: number,
): ControllerVoucher => {
  const end = parseLocalTime(profile['end-time']);
  const expiresAt = end === undefined ? null : toOurTime(end);
  const isStarted = end !== undefined || use.devices.size > 0;
  const isUsedUp = label.quotaMb > 0 && use.bytes >= label.quotaMb * bytesPerMb;
  const isOver = /^(used|expired)$/i.test(asText(profile['state']) ?? '');
  return {
    ...pickLimits(label),
    id: code,
    code,
    name: label.name,
    createdAt: clampTime(label.createdAt),
    usedCount: isStarted ? Math.max(1, use.devices.size) : 0,
    expiresAt,
    expired: isOver || isUsedUp || asFlag(user['disabled']) || (expiresAt !== null && expiresAt <= now),
  };
};
