import { classicError, classicOk, classicStream, classicVoucher, readClassicOrder } from './classicFormat.js';
import type { RequestCounter } from './requestCounts.js';
import {
  isJsonObject,
  parseJson,
  route,
  type ConsoleReply,
  type ConsoleRequest,
  type RequestKind,
  type Route,
} from './router.js';
import { csrfHeaders, invalidCsrf, isCsrfValid, type ConsoleSessions } from './sessions.js';
import type { ConsoleSettings } from './settings.js';
import type { SimulatedSite, SimulatedVoucher, VoucherStore } from './voucherStore.js';

interface ClassicApiDeps {
  readonly settings: ConsoleSettings;
  readonly store: VoucherStore;
  readonly sessions: ConsoleSessions;
  readonly counter: RequestCounter;
}

const callKinds: Readonly<Record<string, RequestKind>> = {
  'create-voucher': 'create',
  'delete-voucher': 'delete',
};

type Body = Readonly<Record<string, unknown>>;
type Command = (site: SimulatedSite, body: Body) => ConsoleReply;

/** The classic API of the Network application, under the prefix of this variant. */
export const classicRoutes = (parts: ClassicApiDeps, prefix: string): Route[] => {
  const { settings, store } = parts;
  const authenticated = makeSessionCheck(parts);
  const commands = makeCommands(parts);

  const inSite = (
    handle: (site: SimulatedSite, call: ConsoleRequest) => ConsoleReply,
  ): ((call: ConsoleRequest) => ConsoleReply) =>
    authenticated((call) => {
      const site = store.sites.find(({ reference }) => reference === call.params['site']);
      return site ? handle(site, call) : classicError(400, 'api.err.NoSiteContext');
    });

  const withBody =
    (handle: (site: SimulatedSite, body: Body) => ConsoleReply) =>
    (site: SimulatedSite, { body }: ConsoleRequest): ConsoleReply => {
      const read = parseJson(body);
      return isJsonObject(read) ? handle(site, read) : classicError(400, 'api.err.InvalidPayload');
    };

  const show = (site: SimulatedSite, wanted: (voucher: SimulatedVoucher) => boolean): ConsoleReply => {
    const now = settings.clock();
    const { hideNewMs } = settings;
    const found = store
      .list(site.reference)
      .filter((voucher) => wanted(voucher) && (hideNewMs === 0 || !store.isNewerThan(voucher, hideNewMs)));
    return classicStream(found, (voucher) => classicVoucher(voucher, site, settings, now));
  };

  const commandOf = ({ body }: ConsoleRequest): string => {
    const read = parseJson(body);
    const command = isJsonObject(read) ? read['cmd'] : undefined;
    return typeof command === 'string' && commands.has(command) ? command : 'unknown';
  };

  const hotspot = withBody((site, body) => {
    const command = commands.get(String(body['cmd']));
    return command ? command(site, body) : classicError(400, 'api.err.InvalidArgs');
  });

  const api = `${prefix}/api`;
  const site = `${api}/s/:site`;
  return [
    route(
      'GET',
      `${api}/self`,
      'GET self',
      authenticated(() => classicOk([{ name: settings.username, is_super: !settings.readOnly }])),
    ),
    route(
      'GET',
      `${api}/self/sites`,
      'GET self/sites',
      authenticated(() => classicOk(store.sites.map((known) => classicSite(known, settings.readOnly)))),
    ),
    route(
      'GET',
      `${site}/stat/sysinfo`,
      'GET stat/sysinfo',
      inSite(() => classicOk([{ version: settings.version, hostname: 'unifi', timezone: 'UTC' }])),
    ),
    route(
      'POST',
      `${site}/cmd/hotspot`,
      (call) => `POST cmd/hotspot ${commandOf(call)}`,
      inSite(hotspot),
      (call) => callKinds[commandOf(call)] ?? 'other',
    ),
    route(
      'GET',
      `${site}/stat/voucher`,
      'GET stat/voucher',
      inSite((known) => show(known, () => true)),
    ),
    route(
      'POST',
      `${site}/stat/voucher`,
      'POST stat/voucher',
      inSite(
        withBody((known, { create_time: second }) => ({
          ...show(known, ({ createdAt }) => second === undefined || createdAt === Number(second) * 1000),
          created: { path: ['data'] },
        })),
      ),
    ),
  ];
};

/** Requires a session or, on UniFi OS, an API key, and rotates the CSRF token. */
const makeSessionCheck =
  ({ settings, sessions, counter }: ClassicApiDeps) =>
  (handle: (call: ConsoleRequest) => ConsoleReply) =>
  (call: ConsoleRequest): ConsoleReply => {
    const { variant, csrf, legacyErrors } = settings;
    const key = call.headers['x-api-key'];
    if (key !== undefined && variant === 'unifi-os') {
      const right = call.via === 'cloud' ? settings.cloudApiKey : settings.apiKey;
      return key === right ? handle(call) : classicError(401, 'api.err.LoginRequired');
    }
    const session = sessions.find(call.cookies.get(variant === 'unifi-os' ? 'TOKEN' : 'unifises'));
    if (!session) return classicError(legacyErrors ? 200 : 401, 'api.err.LoginRequired');
    if (!isCsrfValid(settings, session, call)) return invalidCsrf();
    const reply = handle(call);
    // While other requests are in flight the token stays: they could not know a new one.
    if (csrf === 'updated-header' && call.method !== 'GET' && counter.counts.open === 1) {
      sessions.rotate(session);
    }
    return { ...reply, headers: { ...reply.headers, ...csrfHeaders(settings, session) } };
  };

const makeCommands = ({ settings, store }: ClassicApiDeps): ReadonlyMap<string, Command> => {
  const writing =
    (command: Command): Command =>
    (site, body) =>
      settings.readOnly ? classicError(403, 'api.err.NoPermission') : command(site, body);
  return new Map([
    [
      'create-voucher',
      writing((site, body) => {
        const wanted = readClassicOrder(body);
        if (!wanted) return classicError(400, 'api.err.InvalidArgs');
        const name = settings.keepNote(wanted.order.name);
        const [first] = store.create(site, wanted.count, { ...wanted.order, name });
        return classicOk([{ create_time: (first?.createdAt ?? 0) / 1000 }]);
      }),
    ],
    [
      'delete-voucher',
      writing((site, { _id: id }) => {
        const voucher = typeof id === 'string' ? store.byObjectId(site.reference, id) : undefined;
        if (voucher) store.delete(voucher);
        // The same reply if the voucher does not exist.
        return classicOk([]);
      }),
    ],
  ]);
};

const classicSite = ({ objectId, reference, name }: SimulatedSite, readOnly: boolean): unknown => ({
  _id: objectId,
  name: reference,
  desc: name,
  role: readOnly ? 'readonly' : 'admin',
  role_hotspot: false,
  ...(reference === 'default' && { attr_hidden_id: 'default', attr_no_delete: true }),
});
