import { formatUptime, readDuration } from './values.js';

/** An item of a menu. RouterOS shows every value as text. */
export type MenuItem = Readonly<Record<string, string>>;

/** A refusal of the REST API. */
export class RestError extends Error {
  constructor(
    readonly status: 400 | 404 | 500,
    /** Undefined where the router says no more than the status. */
    readonly detail?: string,
  ) {
    super(detail ?? String(status));
  }
}

type ValueKind = 'text' | 'number' | 'duration' | 'flag';

interface MenuDefinition {
  /** What may be set, and how values are written. */
  readonly properties: Readonly<Record<string, ValueKind>>;
  readonly required: readonly string[];
  readonly defaults?: MenuItem;
  /** Properties that no two items may share, and what the refusal says. */
  readonly unique?: { readonly by: readonly string[]; readonly detail: string };
  /** Properties that name an item of another menu. */
  readonly refersTo?: Readonly<Record<string, string>>;
}

const unlimited = 'unlimited';

export const menuDefinitions = {
  '/ip/hotspot': { properties: { name: 'text', profile: 'text' }, required: ['name'] },
  '/ip/hotspot/profile': { properties: { name: 'text', 'use-radius': 'flag' }, required: ['name'] },
  '/ip/hotspot/user': {
    properties: {
      name: 'text',
      password: 'text',
      profile: 'text',
      server: 'text',
      'limit-uptime': 'duration',
      'limit-bytes-total': 'number',
      'mac-address': 'text',
      comment: 'text',
      disabled: 'flag',
    },
    required: ['name'],
    defaults: { profile: 'default', server: 'all', disabled: 'false' },
    unique: { by: ['name', 'server'], detail: 'failure: already have user with this name for this server' },
    refersTo: { profile: '/ip/hotspot/user/profile', server: '/ip/hotspot' },
  },
  '/ip/hotspot/user/profile': {
    properties: { name: 'text', 'shared-users': 'number', 'rate-limit': 'text' },
    required: ['name'],
    defaults: { 'shared-users': '1' },
    unique: { by: ['name'], detail: 'failure: already have profile with such name' },
  },
  '/ip/hotspot/active': { properties: {}, required: [] },
  '/ip/hotspot/cookie': { properties: {}, required: [] },
  '/user-manager/user': {
    properties: {
      name: 'text',
      password: 'text',
      group: 'text',
      'shared-users': 'number',
      comment: 'text',
      disabled: 'flag',
    },
    required: ['name'],
    defaults: { group: 'default', 'shared-users': '1', disabled: 'false' },
    unique: { by: ['name'], detail: 'failure: already have user with such name' },
  },
  '/user-manager/profile': {
    properties: {
      name: 'text',
      'name-for-users': 'text',
      validity: 'duration',
      'starts-when': 'text',
      price: 'text',
      'override-shared-users': 'text',
    },
    required: ['name'],
    defaults: { validity: unlimited, 'starts-when': 'assigned', 'override-shared-users': 'off' },
    unique: { by: ['name'], detail: 'failure: already have profile with such name' },
  },
  '/user-manager/limitation': {
    properties: {
      name: 'text',
      'rate-limit-rx': 'number',
      'rate-limit-tx': 'number',
      'transfer-limit': 'number',
    },
    required: ['name'],
    unique: { by: ['name'], detail: 'failure: already have limitation with such name' },
  },
  '/user-manager/profile-limitation': {
    properties: { profile: 'text', limitation: 'text' },
    required: ['profile', 'limitation'],
    refersTo: { profile: '/user-manager/profile', limitation: '/user-manager/limitation' },
  },
  '/user-manager/user-profile': {
    properties: { user: 'text', profile: 'text' },
    required: ['user', 'profile'],
    refersTo: { user: '/user-manager/user', profile: '/user-manager/profile' },
  },
  '/user-manager/session': { properties: {}, required: [] },
} as const satisfies Readonly<Record<string, MenuDefinition>>;

export type MenuPath = keyof typeof menuDefinitions;

const definitionOf = (path: MenuPath): MenuDefinition => menuDefinitions[path];

/** The menus of a router, and what can be done to each. */
export interface Menus {
  items(path: MenuPath): readonly MenuItem[];
  find(path: MenuPath, property: string, value: string): MenuItem | undefined;
  byId(path: MenuPath, id: string): MenuItem;
  /** What a client adds, as it was sent. */
  add(path: MenuPath, given: Readonly<Record<string, unknown>>): MenuItem;
  change(path: MenuPath, id: string, given: Readonly<Record<string, unknown>>): MenuItem;
  remove(path: MenuPath, id: string): void;
  /** What the router itself notes: nothing is checked. */
  put(path: MenuPath, item: MenuItem): MenuItem;
  note(path: MenuPath, id: string, values: MenuItem): void;
}

export const makeMenus = (): Menus => {
  const tables = new Map<string, Map<string, MenuItem>>();
  let last = 0;
  const tableOf = (path: string): Map<string, MenuItem> => {
    const table = tables.get(path) ?? new Map<string, MenuItem>();
    tables.set(path, table);
    return table;
  };
  const items = (path: MenuPath): MenuItem[] => [...tableOf(path).values()];

  const check = (path: MenuPath, item: MenuItem, own?: string): void => {
    const { unique, refersTo = {} } = definitionOf(path);
    const isAlike = (other: MenuItem): boolean =>
      other['.id'] !== own && unique?.by.every((property) => other[property] === item[property]) === true;
    if (unique && items(path).some(isAlike)) throw new RestError(400, unique.detail);
    for (const [property, menu] of Object.entries(refersTo)) {
      const name = item[property];
      const isKnown = [...tableOf(menu).values()].some((other) => other['name'] === name);
      if (name !== undefined && name !== 'all' && !isKnown)
        throw new RestError(400, `input does not match any value of ${property}`);
    }
  };

  const put: Menus['put'] = (path, item) => {
    last += 1;
    const added = { '.id': `*${last.toString(16).toUpperCase()}`, ...item };
    tableOf(path).set(added['.id'], added);
    return added;
  };

  const byId: Menus['byId'] = (path, id) => {
    const item = tableOf(path).get(id);
    if (!item) throw new RestError(404);
    return item;
  };

  const note: Menus['note'] = (path, id, values) => {
    tableOf(path).set(id, { ...byId(path, id), ...values });
  };

  return {
    items,
    find: (path, property, value) => items(path).find((item) => item[property] === value),
    byId,
    add: (path, given) => {
      const { required, defaults } = definitionOf(path);
      const item: MenuItem = { ...defaults, ...readValues(path, given) };
      const missing = required.find((property) => item[property] === undefined);
      if (missing !== undefined) throw new RestError(400, `missing value(s) of argument(s) ${missing}`);
      check(path, item);
      return put(path, item);
    },
    change: (path, id, given) => {
      const changed = { ...byId(path, id), ...readValues(path, given) };
      check(path, changed, id);
      tableOf(path).set(id, changed);
      return changed;
    },
    remove: (path, id) => {
      byId(path, id);
      tableOf(path).delete(id);
    },
    put,
    note,
  };
};

/** Values as they are stored, from JSON or text. */
const readValues = (path: MenuPath, given: Readonly<Record<string, unknown>>): MenuItem =>
  Object.fromEntries(
    Object.entries(given).map(([property, value]) => {
      const kind = definitionOf(path).properties[property];
      if (!kind) throw new RestError(400, `unknown parameter ${property}`);
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
        throw new RestError(400, `invalid value for argument ${property}`);
      return [property, readers[kind](String(value), property)];
    }),
  );

const readers: Readonly<Record<ValueKind, (text: string, property: string) => string>> = {
  text: (text) => text,
  number: (text, property) => {
    if (text === unlimited) return text;
    if (!/^\d{1,16}$/.test(text)) throw new RestError(400, `invalid value for argument ${property}`);
    return text;
  },
  duration: (text, property) => {
    const ms = readDuration(text);
    if (ms === undefined) throw new RestError(400, `invalid time value for argument ${property}`);
    return formatUptime(ms);
  },
  flag: (text, property) => {
    if (text === 'true' || text === 'yes') return 'true';
    if (text === 'false' || text === 'no') return 'false';
    throw new RestError(400, `input does not match any value of ${property}`);
  },
};
