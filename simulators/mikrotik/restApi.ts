import {
  isJsonObject,
  jsonReply,
  parseJson,
  route,
  type ConsoleReply,
  type ConsoleRequest,
  type RequestKind,
  type Route,
} from '../unifi/router.js';
import type { Guests } from './guests.js';
import { menuDefinitions, RestError, type MenuItem, type MenuPath, type Menus } from './menus.js';
import type { RouterSettings } from './settings.js';
import { formatLocalTime } from './values.js';

interface RestApiDeps {
  readonly settings: RouterSettings;
  readonly menus: Menus;
  readonly guests: Guests;
}

type Handle = (call: ConsoleRequest) => ConsoleReply;

/** What RouterOS says of each status. */
const messages = { 400: 'Bad Request', 401: 'Unauthorized', 404: 'Not Found', 500: 'Internal Server Error' };

export const restErrorReply = (status: keyof typeof messages, detail?: string): ConsoleReply =>
  jsonReply(status, { ...(detail !== undefined && { detail }), error: status, message: messages[status] });

export const unknownCommand = ({ path }: Pick<ConsoleRequest, 'path'>): ConsoleReply =>
  restErrorReply(400, `no such command or directory (${path.split('/')[2] ?? ''})`);

/** Calls that make vouchers, and calls that remove them. */
const kindOf = (method: string, path: MenuPath): RequestKind => {
  const isUser = path === '/ip/hotspot/user' || path === '/user-manager/user';
  if (method === 'PUT' && (isUser || path === '/user-manager/user-profile')) return 'create';
  return method === 'DELETE' && isUser ? 'delete' : 'other';
};

const reads = new Set<MenuPath>(['/ip/hotspot/active', '/ip/hotspot/cookie', '/user-manager/session']);

/** The REST API: each menu is a path, and each command a method or a path below it. */
export const restRoutes = (deps: RestApiDeps): Route[] => {
  const { settings, menus } = deps;
  const guarded = makeGuard(deps);
  const single = (path: string, values: () => MenuItem, kind: RequestKind = 'other'): Route =>
    route(
      'GET',
      `/rest${path}`,
      `GET ${path}`,
      guarded(() => jsonReply(200, values())),
      kind,
    );

  const menuRoutes = (path: MenuPath): Route[] => {
    const at = `/rest${path}`;
    const add = (method: string, below: string, handle: Handle): Route =>
      route(method, `${at}${below}`, `${method} ${path}${below}`, guarded(handle), kindOf(method, path));
    const isOfUsers = path === '/ip/hotspot/user' || path === '/user-manager/user';
    const listReply = (items: readonly MenuItem[]): ConsoleReply => ({
      ...jsonReply(200, items),
      ...(isOfUsers && items.length > 0 && { created: { path: [], code: 'name' } }),
    });
    const changing =
      (handle: Handle): Handle =>
      (call) => {
        if (settings.readOnly) throw new RestError(500, 'not enough permissions (9)');
        if (reads.has(path) && call.method !== 'DELETE') throw new RestError(400, 'no such command');
        return handle(call);
      };
    const idOf = ({ params: { id = '' } }: ConsoleRequest): string => id;
    return [
      add('GET', '', ({ query }) => {
        const { '.proplist': properties, ...where } = Object.fromEntries(query);
        const found = menus
          .items(path)
          .filter((item) => Object.entries(where).every(([property, value]) => item[property] === value));
        return listReply(pick(found, properties?.split(',')));
      }),
      add('POST', '/print', ({ body }) => listReply(runPrint(menus.items(path), parseJson(body)))),
      add(
        'PUT',
        '',
        changing(({ body }) => jsonReply(201, menus.add(path, toObject(body)))),
      ),
      add(
        'POST',
        '/add',
        changing(({ body }) => jsonReply(200, { ret: menus.add(path, toObject(body))['.id'] })),
      ),
      add('GET', '/:id', (call) => jsonReply(200, menus.byId(path, idOf(call)))),
      add(
        'PATCH',
        '/:id',
        changing((call) => jsonReply(200, menus.change(path, idOf(call), toObject(call.body)))),
      ),
      add(
        'DELETE',
        '/:id',
        changing((call) => {
          menus.remove(path, idOf(call));
          return { status: 204, headers: {}, body: '', refused: false };
        }),
      ),
    ];
  };

  // `/ip/hotspot/user/profile` is a menu, and no item of `/ip/hotspot/user`.
  const paths = (Object.keys(menuDefinitions) as MenuPath[])
    .filter((path) => settings.userManager !== 'absent' || !path.startsWith('/user-manager'))
    .sort((one, other) => other.length - one.length);
  const { version, clock, zoneMinutes, userManager } = settings;
  const inUse = String(userManager === 'on');
  return [
    single('/system/resource', () => ({ version: `${version} (stable)`, 'board-name': 'CHR' }), 'probe'),
    single('/system/clock', () => ({ ...formatLocalTime(clock(), zoneMinutes, version) })),
    ...(userManager === 'absent'
      ? []
      : [single('/user-manager', () => ({ enabled: inUse, 'use-profiles': inUse }))]),
    ...paths.flatMap(menuRoutes),
  ];
};

const toObject = (body: string): Readonly<Record<string, unknown>> => {
  const value = parseJson(body);
  if (!isJsonObject(value)) throw new RestError(400, 'invalid JSON');
  return value;
};

const pick = (items: readonly MenuItem[], properties: readonly string[] | undefined): MenuItem[] =>
  items.map((item) =>
    properties
      ? Object.fromEntries(Object.entries(item).filter(([property]) => properties.includes(property)))
      : { ...item },
  );

/** `{".query":["name=a","name=b","#|"],".proplist":["name"]}`: words of the query, and operators on what they have found. */
const runPrint = (items: readonly MenuItem[], request: unknown): MenuItem[] => {
  const { '.query': query = [], '.proplist': properties } = isJsonObject(request) ? request : {};
  const words = Array.isArray(query) ? query.map(String) : [];
  const isMeant = (item: MenuItem): boolean => {
    const stack: boolean[] = [];
    for (const word of words) {
      if (word.startsWith('#')) {
        for (const operator of word.slice(1)) {
          const last = stack.pop() ?? false;
          if (operator === '!') stack.push(!last);
          else {
            const before = stack.pop() ?? false;
            stack.push(operator === '|' ? before || last : before && last);
          }
        }
      } else {
        const [, property = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
        stack.push(item[property] === value);
      }
    }
    return stack.every(Boolean);
  };
  return pick(items.filter(isMeant), Array.isArray(properties) ? properties.map(String) : undefined);
};

/** Requires the account, lets time pass, and turns refusals into answers. */
const makeGuard = ({ settings: { username, password }, guests }: RestApiDeps) => {
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return (handle: Handle): Handle =>
    (call) => {
      if (call.headers.authorization !== expected) return restErrorReply(401);
      guests.pass();
      try {
        return handle(call);
      } catch (error) {
        if (error instanceof RestError) return restErrorReply(error.status, error.detail);
        throw error;
      }
    };
};
