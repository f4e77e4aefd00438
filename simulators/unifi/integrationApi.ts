import { uuidPattern } from './filter.js';
import {
  applicationError,
  argumentMismatch,
  filtered,
  gatewayError,
  IntegrationError,
  integrationVoucher,
  pageReply,
  readIntegrationOrder,
  resourceNotFound,
  siteProperties,
  voucherProperties,
} from './integrationFormat.js';
import { jsonReply, parseJson, route, type ConsoleReply, type ConsoleRequest, type Route } from './router.js';
import { isVersionAtLeast, type ConsoleSettings } from './settings.js';
import type { SimulatedSite, SimulatedVoucher, VoucherStore } from './voucherStore.js';

/** The official Integration API v1, under the prefix of this variant. */
export const integrationRoutes = (
  settings: ConsoleSettings,
  store: VoucherStore,
  prefix: string,
): Route[] => {
  const base = `${prefix}/integration/v1`;
  const authenticated = makeKeyCheck(settings);
  const routes = [
    route(
      'GET',
      `${base}/info`,
      'GET info',
      authenticated(() => jsonReply(200, { applicationVersion: settings.version })),
    ),
    route(
      'GET',
      `${base}/sites`,
      'GET sites',
      authenticated(({ query }) => {
        const found = filtered(store.sites, query, siteProperties);
        return pageReply(query, { usual: 25, most: settings.maxSites }, found, integrationSite);
      }),
    ),
  ];
  return isVersionAtLeast(settings.version, '9.1.120')
    ? [...routes, ...voucherRoutes(settings, store, `${base}/sites/:siteId/hotspot/vouchers`)]
    : routes;
};

const voucherRoutes = (settings: ConsoleSettings, store: VoucherStore, vouchers: string): Route[] => {
  const { clock } = settings;
  const properties = voucherProperties(clock);
  const authenticated = makeKeyCheck(settings);

  const inSite = (
    handle: (site: SimulatedSite, call: ConsoleRequest) => ConsoleReply,
  ): ((call: ConsoleRequest) => ConsoleReply) => authenticated((call) => handle(siteOf(store, call), call));

  const writing =
    (handle: (site: SimulatedSite, call: ConsoleRequest) => ConsoleReply) =>
    (site: SimulatedSite, call: ConsoleRequest): ConsoleReply => {
      if (settings.readOnly)
        throw new IntegrationError(403, 'api.authorization.forbidden', 'Access is denied');
      return handle(site, call);
    };

  return [
    route(
      'GET',
      vouchers,
      'GET vouchers',
      inSite(({ reference }, { query }) => {
        const now = clock();
        const found = filtered(store.list(reference), query, properties);
        return pageReply(query, { usual: 100, most: settings.maxVouchers }, found, (voucher) =>
          integrationVoucher(voucher, now),
        );
      }),
    ),
    route(
      'POST',
      vouchers,
      'POST vouchers',
      inSite(
        writing((site, { body }) => {
          const { count, order } = readIntegrationOrder(parseJson(body), settings);
          const made = store.create(site, count, order);
          const now = clock();
          const shown = made.map((voucher) => integrationVoucher(voucher, now));
          return { ...jsonReply(201, { vouchers: shown }), created: { path: ['vouchers'] } };
        }),
      ),
      'create',
    ),
    route(
      'DELETE',
      vouchers,
      'DELETE vouchers',
      inSite(
        writing(({ reference }, { query }) => {
          if (!query.has('filter')) throw missingFilter();
          const found = filtered(store.list(reference), query, properties);
          for (const voucher of found) store.delete(voucher);
          return jsonReply(200, { vouchersDeleted: found.length });
        }),
      ),
      'delete',
    ),
    route(
      'GET',
      `${vouchers}/:voucherId`,
      'GET vouchers/{id}',
      inSite((site, call) => {
        const voucher = voucherOf(store, site, call);
        if (!voucher) throw resourceNotFound('Voucher', call.params['voucherId']);
        return jsonReply(200, integrationVoucher(voucher, clock()));
      }),
    ),
    route(
      'DELETE',
      `${vouchers}/:voucherId`,
      'DELETE vouchers/{id}',
      inSite(
        writing((site, call) => {
          const voucher = voucherOf(store, site, call);
          if (voucher) store.delete(voucher);
          else if (settings.unknownDelete === 'not-found')
            throw resourceNotFound('Voucher', call.params['voucherId']);
          return jsonReply(200, { vouchersDeleted: voucher ? 1 : 0 });
        }),
      ),
      'delete',
    ),
  ];
};

/** Requires the right key: the cloud's through the connector, the console's for direct requests. */
const makeKeyCheck =
  (settings: ConsoleSettings) =>
  (handle: (call: ConsoleRequest) => ConsoleReply) =>
  (call: ConsoleRequest): ConsoleReply => {
    const key = call.headers['x-api-key'];
    const right = call.via === 'cloud' ? settings.cloudApiKey : settings.apiKey;
    // On UniFi OS and in the cloud a gateway in front of the application checks keys.
    if (key !== right && (call.via === 'cloud' || settings.variant === 'unifi-os')) {
      return gatewayError(401, 'Unauthorized');
    }
    try {
      if (key === undefined) {
        throw new IntegrationError(401, 'api.authentication.missing-credentials', 'Missing credentials');
      }
      if (key !== right)
        throw new IntegrationError(401, 'api.authentication.invalid-credentials', 'Invalid credentials');
      return handle(call);
    } catch (error) {
      if (error instanceof IntegrationError) return applicationError(settings, call, error);
      throw error;
    }
  };

const siteOf = (store: VoucherStore, { params: { siteId = '' } }: ConsoleRequest): SimulatedSite => {
  if (!uuidPattern.test(siteId)) throw argumentMismatch('siteId', siteId);
  const site = store.sites.find(({ id }) => id === siteId.toLowerCase());
  if (!site) throw resourceNotFound('Site', siteId);
  return site;
};

const voucherOf = (
  store: VoucherStore,
  { reference }: SimulatedSite,
  { params: { voucherId = '' } }: ConsoleRequest,
): SimulatedVoucher | undefined => {
  if (!uuidPattern.test(voucherId)) throw argumentMismatch('voucherId', voucherId);
  return store.byId(reference, voucherId);
};

const integrationSite = ({ id, reference, name }: SimulatedSite): unknown => ({
  id,
  internalReference: reference,
  name,
});

const missingFilter = (): IntegrationError =>
  new IntegrationError(400, 'api.request.error', "Required parameter 'filter' is not present");
