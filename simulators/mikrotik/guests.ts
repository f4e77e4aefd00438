import { randomBytes } from 'node:crypto';
import type { SimulatedVoucher } from '../unifi/voucherStore.js';
import type { MenuItem, MenuPath, Menus } from './menus.js';
import type { RouterSettings } from './settings.js';
import { formatUptime, formatLocalTime, readDuration } from './values.js';

/** Guests at the router: they sign in, and their time passes. */
export interface Guests {
  /** Ends what is over by now. The router does it all the time; here it happens before anything is read. */
  pass(): void;
  use(code: string, guests: number): void;
  /** So much was transferred with a code. */
  transfer(code: string, bytes: number): void;
  /** Guests leave, and may come back. */
  leave(code: string): void;
  /** Deletes the user with this code. */
  remove(code: string): void;
  /** Users who can sign in. */
  vouchers(): SimulatedVoucher[];
}

const hotspotUsers = '/ip/hotspot/user';
const managedUsers = '/user-manager/user';
const active = '/ip/hotspot/active';

const newMac = (): string => (randomBytes(6).toString('hex').toUpperCase().match(/../g) ?? []).join(':');

const toCount = (value: string | undefined): number => (/^\d+$/.test(value ?? '') ? Number(value) : 0);

export const makeGuests = (menus: Menus, { clock, zoneMinutes, version }: RouterSettings): Guests => {
  /** When sessions began, by their id. */
  const begun = new Map<string, number>();
  /** When managed users have to be out, by name. */
  const ends = new Map<string, number>();

  const sessionsOf = (code: string): readonly MenuItem[] =>
    menus.items(active).filter(({ user }) => user === code);
  const ageOf = ({ '.id': id = '' }: MenuItem): number => clock() - (begun.get(id) ?? clock());
  const end = (session: MenuItem): void => {
    const { '.id': id = '', user = '' } = session;
    const local = menus.find(hotspotUsers, 'name', user);
    if (local) {
      const before = readDuration(local['uptime'] ?? '0s') ?? 0;
      menus.note(hotspotUsers, local['.id'] ?? '', { uptime: formatUptime(before + ageOf(session)) });
    }
    menus.remove(active, id);
    begun.delete(id);
  };
  const begin = (code: string, radius: boolean): string => {
    const mac = newMac();
    const session = menus.put(active, {
      user: code,
      'mac-address': mac,
      uptime: '0s',
      radius: String(radius),
    });
    begun.set(session['.id'] ?? '', clock());
    menus.put('/ip/hotspot/cookie', { user: code, 'mac-address': mac });
    return mac;
  };
  const assertRoom = (code: string, limit: number, guests: number): void => {
    const online = sessionsOf(code).length;
    if (limit > 0 && online + guests > limit)
      throw new Error(
        `the voucher ${code} is for ${String(limit)} devices at the same time, and ${String(online)} are online`,
      );
  };

  const useLocal = (user: MenuItem, code: string, guests: number): void => {
    const profile = menus.find('/ip/hotspot/user/profile', 'name', user['profile'] ?? '');
    const limit = readDuration(user['limit-uptime'] ?? '') ?? Infinity;
    const uptime = readDuration(user['uptime'] ?? '0s') ?? 0;
    if (user['disabled'] === 'true' || uptime >= limit) throw new Error(`the voucher ${code} has expired`);
    assertRoom(code, toCount(profile?.['shared-users']), guests);
    for (let guest = 0; guest < guests; guest += 1) begin(code, false);
  };

  const useManaged = (user: MenuItem, code: string, guests: number): void => {
    const assigned = menus.find('/user-manager/user-profile', 'user', code);
    if (!assigned) throw new Error(`the user ${code} has no profile`);
    const profile = menus.find('/user-manager/profile', 'name', assigned['profile'] ?? '');
    if ((ends.get(code) ?? Infinity) <= clock()) throw new Error(`the voucher ${code} has expired`);
    assertRoom(code, toCount(user['shared-users']), guests);
    for (let guest = 0; guest < guests; guest += 1) {
      const mac = begin(code, true);
      menus.put('/user-manager/session', {
        user: code,
        'calling-station-id': mac,
        active: 'true',
        download: '0',
        upload: '0',
      });
    }
    if (ends.has(code)) return;
    const endAt = clock() + (readDuration(profile?.['validity'] ?? '') ?? 0);
    ends.set(code, endAt);
    const { date, time } = formatLocalTime(endAt, zoneMinutes, version);
    menus.note('/user-manager/user-profile', assigned['.id'] ?? '', {
      'end-time': `${date} ${time}`,
      state: 'running-active',
    });
  };

  const pass = (): void => {
    for (const session of menus.items(active)) {
      const { user = '', '.id': id = '' } = session;
      const local = menus.find(hotspotUsers, 'name', user);
      const limit = readDuration(local?.['limit-uptime'] ?? '') ?? Infinity;
      const before = readDuration(local?.['uptime'] ?? '0s') ?? 0;
      if (before + ageOf(session) >= limit || (ends.get(user) ?? Infinity) <= clock()) end(session);
      else menus.note(active, id, { uptime: formatUptime(ageOf(session)) });
    }
    for (const [code, at] of ends) {
      const assigned = menus.find('/user-manager/user-profile', 'user', code);
      if (assigned && at <= clock())
        menus.note('/user-manager/user-profile', assigned['.id'] ?? '', { state: 'used' });
    }
  };

  const findUser = (code: string): { readonly menu: MenuPath; readonly user: MenuItem } => {
    for (const menu of [hotspotUsers, managedUsers] as const) {
      const user = menus.find(menu, 'name', code);
      if (user) return { menu, user };
    }
    throw new Error(`the router has no user ${code}`);
  };
  /** Codes are typed with or without a dash. */
  const withUser = (typed: string): ReturnType<typeof findUser> & { readonly code: string } => {
    const code = typed.replaceAll('-', '');
    return { code, ...findUser(code) };
  };

  return {
    pass,
    use: (typed, guests) => {
      pass();
      const { code, menu, user } = withUser(typed);
      (menu === hotspotUsers ? useLocal : useManaged)(user, code, guests);
    },
    transfer: (typed, bytes) => {
      const { code, menu, user } = withUser(typed);
      const session = menus.find('/user-manager/session', 'user', code);
      if (menu === hotspotUsers) menus.note(menu, user['.id'] ?? '', { 'bytes-out': String(bytes) });
      else if (session)
        menus.note('/user-manager/session', session['.id'] ?? '', { download: String(bytes) });
    },
    leave: (typed) => {
      for (const session of sessionsOf(withUser(typed).code)) end(session);
    },
    remove: (typed) => {
      const { menu, user } = withUser(typed);
      menus.remove(menu, user['.id'] ?? '');
    },
    vouchers: () => {
      pass();
      const local = menus
        .items(hotspotUsers)
        .map((user) => toVoucher(menus, user, sessionsOf(user['name'] ?? '').length, undefined));
      const managed = menus
        .items(managedUsers)
        .filter(({ name }) => menus.find('/user-manager/user-profile', 'user', name ?? ''))
        .map((user) => {
          const code = user['name'] ?? '';
          const used = menus
            .items('/user-manager/session')
            .filter((session) => session['user'] === code).length;
          return toVoucher(menus, user, used, ends.get(code));
        });
      return [...local, ...managed];
    },
  };
};

const toVoucher = (
  menus: Menus,
  user: MenuItem,
  used: number,
  expiresAt: number | undefined,
): SimulatedVoucher => {
  const code = user['name'] ?? '';
  const assigned = menus.find('/user-manager/user-profile', 'user', code)?.['profile'] ?? '';
  const limitation = menus.find('/user-manager/limitation', 'name', assigned);
  const profile =
    menus.find('/user-manager/profile', 'name', assigned) ??
    menus.find('/ip/hotspot/user/profile', 'name', user['profile'] ?? '');
  const [up = '', down = ''] = (profile?.['rate-limit'] ?? '').split('/');
  const kbits = (text: string): number => toCount(text.replace(/k$/, ''));
  const length = readDuration(profile?.['validity'] ?? user['limit-uptime'] ?? '') ?? 0;
  return {
    id: user['.id'] ?? '',
    objectId: '',
    site: user['server'] ?? 'all',
    code,
    name: user['comment'] ?? '',
    limit: toCount(user['shared-users'] ?? profile?.['shared-users']),
    minutes: length / 60_000,
    down: limitation ? toCount(limitation['rate-limit-tx']) / 1000 : kbits(down),
    up: limitation ? toCount(limitation['rate-limit-rx']) / 1000 : kbits(up),
    quotaMb: toCount(limitation?.['transfer-limit'] ?? user['limit-bytes-total']) / 1_000_000,
    used,
    createdAt: 0,
    activatedAt: undefined,
    expiresAt,
  };
};
