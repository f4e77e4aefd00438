import { makeCertificate } from '../certificate.js';
import { reachable } from '../unifi/console.js';
import { controlRoutes } from '../unifi/control.js';
import { makeFaultInjector, type ConsoleFault } from '../unifi/faults.js';
import { makeRequestCounter, type RequestCounts } from '../unifi/requestCounts.js';
import { makeRouter } from '../unifi/router.js';
import { startConsoleServer } from '../unifi/server.js';
import type { SimulatedVoucher } from '../unifi/voucherStore.js';
import { makeGuests } from './guests.js';
import { makeMenus, type MenuItem, type MenuPath } from './menus.js';
import { restRoutes, unknownCommand } from './restApi.js';
import { resolveRouterSettings, type SimulatedMikrotikOptions } from './settings.js';

/** A running router, with what tests may inspect and do. */
export interface MikrotikRouter {
  readonly url: string;
  /** PEM. */
  readonly certificate: string;
  /** SHA-256, `AB:CD:…`. */
  readonly fingerprint: string;
  readonly username: string;
  readonly password: string;
  readonly servers: readonly string[];
  readonly counts: RequestCounts;
  resetCounts(): void;
  /** Copies of the users who can sign in. */
  vouchers(): SimulatedVoucher[];
  items(menu: MenuPath): readonly MenuItem[];
  /** Adds users that were made elsewhere. */
  seed(count: number): void;
  /** Guests sign in: the first use starts the validity. */
  use(code: string, guests?: number): void;
  /** So much was transferred with a code. */
  transfer(code: string, bytes: number): void;
  /** Guests leave. */
  leave(code: string): void;
  /** Deletes a user on the router. */
  remove(code: string): void;
  /** Somebody changes all items of a menu on the router whose names are ours. */
  change(menu: MenuPath, values: MenuItem): void;
  /** Somebody else adds an item. */
  add(menu: MenuPath, item: MenuItem): void;
  /** Somebody else adds an item at the last moment: right before the next one is added to its menu. */
  addFirst(menu: MenuPath, item: MenuItem): void;
  /** There are so many sessions of others, each of about a kilobyte. */
  crowd(sessions: number): void;
  /** Somebody takes the profile of a user away. */
  detach(code: string): void;
  /** Deletes items of a menu on the router. */
  clear(menu: MenuPath): void;
  fault(fault: ConsoleFault | undefined): void;
  stop(): Promise<void>;
}

/** Starts a router with RouterOS 7 that behaves like a real one, in this process. */
export const startMikrotikRouter = async (
  options: SimulatedMikrotikOptions = {},
): Promise<MikrotikRouter> => {
  const settings = resolveRouterSettings(options);
  const { servers, username, password, version, userManager } = settings;
  const certificate = options.certificate ?? (await makeCertificate('router.local'));
  const counter = makeRequestCounter();
  const faults = makeFaultInjector();
  const menus = makeMenus();
  menus.put('/ip/hotspot/profile', { name: 'hsprof1', 'use-radius': String(settings.usesRadius) });
  menus.put('/ip/hotspot/user/profile', { name: 'default', 'shared-users': '1' });
  for (const name of servers) menus.put('/ip/hotspot', { name, profile: 'hsprof1' });
  const guests = makeGuests(menus, settings);
  const heading = {
    title: 'Simulated MikroTik router',
    subtitle: `RouterOS ${version}, ${userManager === 'on' ? 'User Manager' : 'hotspot users'}`,
  };
  let seeded = 0;
  const addedFirst = new Map<MenuPath, MenuItem>();
  const addForClients: typeof menus.add = (menu, given) => {
    const first = addedFirst.get(menu);
    addedFirst.delete(menu);
    if (first) menus.add(menu, first);
    return menus.add(menu, given);
  };

  const server = await startConsoleServer({
    // It has no other variant, and is not reached through a cloud.
    settings: { ...settings, variant: 'self-hosted', consoleId: '' },
    certificate,
    counter,
    faults,
    api: makeRouter(restRoutes({ settings, menus: { ...menus, add: addForClients }, guests })),
    control: makeRouter(
      controlRoutes({
        settings,
        heading,
        store: {
          sites: [{ reference: 'all' }],
          list: guests.vouchers,
          use: guests.use,
          remove: guests.remove,
        },
        counter,
        faults,
      }),
    ),
    notFound: unknownCommand,
  });

  return {
    url: `https://${reachable(settings.host)}:${String(server.port)}`,
    certificate: certificate.cert,
    fingerprint: certificate.fingerprint,
    username,
    password,
    servers,
    get counts() {
      return counter.counts;
    },
    resetCounts: counter.reset,
    vouchers: guests.vouchers,
    items: menus.items,
    seed: (count) => {
      for (let made = 0; made < count; made += 1) {
        seeded += 1;
        const name = `gast${String(seeded)}`;
        menus.add('/ip/hotspot/user', { name, password: name, comment: 'made on the router' });
      }
    },
    use: (code, count = 1) => guests.use(code, count),
    transfer: guests.transfer,
    leave: guests.leave,
    remove: guests.remove,
    clear: (menu) => {
      for (const { '.id': id = '' } of menus.items(menu)) menus.remove(menu, id);
    },
    change: (menu, values) => {
      for (const { '.id': id = '', name = '' } of menus.items(menu))
        if (name.startsWith('vd-')) menus.change(menu, id, values);
    },
    add: (menu, item) => void menus.add(menu, item),
    addFirst: (menu, item) => void addedFirst.set(menu, item),
    crowd: (sessions) => {
      const device = 'x'.repeat(1000);
      for (let nth = 0; nth < sessions; nth += 1)
        menus.put('/user-manager/session', { user: 'other', 'calling-station-id': device });
    },
    detach: (code) => {
      for (const { '.id': id = '', user } of menus.items('/user-manager/user-profile'))
        if (user === code) menus.remove('/user-manager/user-profile', id);
    },
    fault: faults.set,
    stop: server.stop,
  };
};
