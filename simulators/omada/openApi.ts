import { randomBytes } from 'node:crypto';
import { limitCount, type FaultInjector } from '../unifi/faults.js';
import {
  jsonReply,
  parseJson,
  isJsonObject,
  route,
  type ConsoleReply,
  type ConsoleRequest,
  type RequestKind,
  type Route,
} from '../unifi/router.js';
import { isVersionAtLeast } from '../unifi/settings.js';
import {
  errorReply,
  groupDetail,
  groupSummary,
  listedVoucher,
  okReply,
  OmadaError,
  omadaPage,
  readGroupOrder,
  voucherDetail,
} from './format.js';
import type { OmadaSettings } from './settings.js';
import type { OmadaGroup, OmadaStore } from './store.js';

interface OpenApiDeps {
  readonly settings: OmadaSettings;
  readonly store: OmadaStore;
  readonly tokens: OmadaTokenStore;
  readonly faults: FaultInjector;
}

/** The tokens that the controller has issued. */
export interface OmadaTokenStore {
  readonly issued: readonly string[];
  issue(): string;
  state(token: string): 'valid' | 'expired' | 'unknown';
  expireAll(): void;
}

export const makeOmadaTokenStore = ({ clock, tokenTtlMs }: OmadaSettings): OmadaTokenStore => {
  const ends = new Map<string, number>();
  const issued: string[] = [];
  return {
    issued,
    issue: () => {
      const token = `AT-${randomBytes(16).toString('base64url')}`;
      ends.set(token, clock() + tokenTtlMs);
      issued.push(token);
      return token;
    },
    state: (token) => {
      const end = ends.get(token);
      return end === undefined ? 'unknown' : end <= clock() ? 'expired' : 'valid';
    },
    expireAll: () => {
      for (const token of ends.keys()) ends.set(token, 0);
    },
  };
};

type Handle = (call: ConsoleRequest) => ConsoleReply;

/** What the controller tells of itself, tokens, sites and voucher groups. */
export const openApiRoutes = (deps: OpenApiDeps): Route[] => {
  const { settings, tokens } = deps;
  const limited = makeThrottle(settings);
  const routes = [
    route(
      'GET',
      '/api/info',
      'GET info',
      () =>
        okReply({
          controllerVer: settings.version,
          apiVer: '3',
          configured: true,
          type: 1,
          supportApp: true,
          omadacId: settings.omadacId,
        }),
      'probe',
    ),
  ];
  if (!isVersionAtLeast(settings.version, '5.9')) return routes;
  return [
    ...routes,
    route(
      'POST',
      '/openapi/authorize/token',
      'POST token',
      limited(failing((call) => issueToken(settings, tokens, call))),
      'login',
    ),
    ...voucherRoutes(deps, limited),
  ];
};

const voucherRoutes = (
  { settings, store, tokens, faults }: OpenApiDeps,
  limited: (handle: Handle) => Handle,
): Route[] => {
  const { clock } = settings;
  const base = '/openapi/v1/:omadacId';
  const hotspot = `${base}/sites/:siteId/hotspot`;
  const add = (
    method: string,
    path: string,
    name: string,
    handle: Handle,
    kind: RequestKind = 'other',
  ): Route => route(method, path, name, limited(failing(authorized(settings, tokens, handle))), kind);

  const siteOf = ({ params: { siteId = '' } }: ConsoleRequest): string => {
    if (!settings.sites.some(({ id }) => id === siteId))
      throw new OmadaError(-33_000, 'This site does not exist.');
    return siteId;
  };
  const groupOf = (call: ConsoleRequest): OmadaGroup => {
    const group = store.group(siteOf(call), call.params['groupId'] ?? '');
    if (!group) throw new OmadaError(-42_011, 'This voucher group does not exist.');
    return group;
  };
  const assertMayModify = (): void => {
    if (settings.readOnly) throw new OmadaError(-1005, 'Operation forbidden.');
  };
  const isVisible = ({ createdAt }: OmadaGroup): boolean => clock() >= createdAt + settings.hideNewMs;

  const create: Handle = (call) => {
    assertMayModify();
    const site = siteOf(call);
    const body = parseJson(call.body);
    const order = readGroupOrder(body);
    if (!isJsonObject(body)) throw new OmadaError(-1001, 'Invalid request parameters.');
    if (store.groups(site).some(({ order: { name } }) => name === order.name))
      throw new OmadaError(-42_059, 'The voucher group name already exists.');
    if (store.list(site).length + order.amount > settings.capacity)
      throw new OmadaError(-42_010, 'The number of vouchers has reached the limit.');
    const stored = { ...order, name: settings.keepName(order.name) };
    const group = store.create(site, stored, body, limitCount(faults, order.amount));
    return okReply({ id: group.id });
  };

  const listGroups: Handle = (call) => {
    const search = call.query.get('searchKey')?.toLowerCase() ?? '';
    const time = (name: string, otherwise: number): number => Number(call.query.get(name) ?? otherwise);
    const [from, to] = [time('filters.timeStart', 0), time('filters.timeEnd', Infinity)];
    const found = store
      .groups(siteOf(call))
      .filter(
        ({ name, createdAt }) =>
          isFound[settings.search](name.toLowerCase(), search) && createdAt >= from && createdAt <= to,
      );
    return omadaPage(
      call,
      clock(),
      found.map((group) => groupSummary(group, clock())),
    );
  };

  const listVouchers: Handle = (call) => {
    const group = groupOf(call);
    const vouchers = isVisible(group) ? [...group.vouchers] : [];
    const listed = vouchers.map((voucher) => listedVoucher(voucher, clock()));
    return { ...omadaPage(call, clock(), listed, groupDetail(group)), created: { path: ['result', 'data'] } };
  };

  const showVoucher: Handle = (call) => {
    const voucher = store.voucher(siteOf(call), call.params['voucherId'] ?? '');
    if (!voucher) throw new OmadaError(-42_009, 'This voucher does not exist.');
    return okReply(voucherDetail(voucher, clock()));
  };

  const deleteVoucher: Handle = (call) => {
    assertMayModify();
    const voucher = store.voucher(siteOf(call), call.params['voucherId'] ?? '');
    if (voucher) store.delete(voucher);
    else if (settings.unknownDelete === 'error')
      throw new OmadaError(-42_009, 'This voucher does not exist.');
    return okReply();
  };

  return [
    add('GET', `${base}/sites`, 'GET sites', (call) =>
      omadaPage(
        call,
        clock(),
        settings.sites.map(({ id, name }) => ({ siteId: id, name })),
      ),
    ),
    add('GET', `${hotspot}/voucher-groups`, 'GET voucher-groups', listGroups),
    add('POST', `${hotspot}/voucher-groups`, 'POST voucher-groups', create, 'create'),
    add('GET', `${hotspot}/voucher-groups/:groupId`, 'GET voucher-groups/{id}', listVouchers),
    add('GET', `${hotspot}/vouchers/:voucherId`, 'GET vouchers/{id}', showVoucher),
    add('DELETE', `${hotspot}/vouchers/:voucherId`, 'DELETE vouchers/{id}', deleteVoucher, 'delete'),
  ];
};

const issueToken = (
  { omadacId, clientId, clientSecret, codeMode, tokenTtlMs }: OmadaSettings,
  tokens: OmadaTokenStore,
  { query, body }: ConsoleRequest,
): ConsoleReply => {
  const given = parseJson(body);
  if (query.get('grant_type') !== 'client_credentials' || codeMode)
    throw new OmadaError(-44_111, 'The grant type is invalid.');
  if (!isJsonObject(given) || given['omadacId'] !== omadacId)
    throw new OmadaError(
      -44_116,
      'Open API authorized failed, please check whether the input parameters are legal.',
    );
  if (given['client_id'] !== clientId || given['client_secret'] !== clientSecret)
    throw new OmadaError(-44_106, 'The client id or client secret is invalid.');
  return okReply({
    accessToken: tokens.issue(),
    tokenType: 'bearer',
    expiresIn: Math.ceil(tokenTtlMs / 1000),
    refreshToken: `RT-${randomBytes(16).toString('base64url')}`,
  });
};

const failing =
  (handle: Handle): Handle =>
  (call) => {
    try {
      return handle(call);
    } catch (error) {
      if (error instanceof OmadaError) return errorReply(error);
      throw error;
    }
  };

/** Requires a valid token, and the controller's own id in the path. */
const authorized =
  ({ omadacId }: OmadaSettings, tokens: OmadaTokenStore, handle: Handle): Handle =>
  (call) => {
    const [, token = ''] = /^AccessToken=(.+)$/.exec(call.headers.authorization ?? '') ?? [];
    const state = tokens.state(token);
    if (state === 'expired')
      throw new OmadaError(
        -44_112,
        'The access token has expired. Please re-initiate the refreshToken process.',
      );
    if (state === 'unknown') throw new OmadaError(-44_113, 'The access token is Invalid');
    if (call.params['omadacId'] !== omadacId) throw new OmadaError(-1005, 'Operation forbidden.');
    return handle(call);
  };

/** Refuses what goes beyond the requests of a second. */
const makeThrottle = ({ requestsPerSecond, clock }: OmadaSettings) => {
  let second = 0;
  let count = 0;
  return (handle: Handle): Handle =>
    (call) => {
      const now = Math.floor(clock() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      return count > requestsPerSecond
        ? jsonReply(429, { errorCode: -1, msg: 'API Rate limit exceeded' })
        : handle(call);
    };
};

/** What a search finds is not documented. */
const isFound = {
  part: (name: string, search: string): boolean => name.includes(search),
  begin: (name: string, search: string): boolean => name.startsWith(search),
  whole: (name: string, search: string): boolean => search === '' || name === search,
} as const;
