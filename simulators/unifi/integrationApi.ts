import { uuidPattern } from './filter.js';
import { applicationError, gatewayError, mismatch, notFound, Refusal } from './integrationErrors.js';
import { readIntegrationOrder } from './integrationOrder.js';
import { filtered, page } from './integrationPage.js';
import { integrationVoucher, siteProperties, voucherProperties } from './integrationVoucher.js';
import { json, parseJson, route, type Call, type Reply, type Route } from './route.js';
import { atLeast, type Settings } from './settings.js';
import type { SimulatedSite, SimulatedVoucher, VoucherStore } from './vouchers.js';

/** The official Integration API v1, under the prefix that it has on this variant. */
export const integrationRoutes = (settings: Settings, store: VoucherStore, prefix: string): Route[] => {
  const base = `${prefix}/integration/v1`;
  const guarded = makeGuard(settings);
  const routes = [
    route(
      'GET',
      `${base}/info`,
      'GET info',
      guarded(() => json(200, { applicationVersion: settings.version })),
    ),
    route(
      'GET',
      `${base}/sites`,
      'GET sites',
      guarded(({ query }) => {
        const found = filtered(store.sites, query, siteProperties);
        return page(query, { usual: 25, most: settings.maxSites }, found, integrationSite);
      }),
    ),
  ];
  return atLeast(settings.version, '9.1.120')
    ? [...routes, ...voucherRoutes(settings, store, `${base}/sites/:siteId/hotspot/vouchers`)]
    : routes;
};

const voucherRoutes = (settings: Settings, store: VoucherStore, vouchers: string): Route[] => {
  const { clock } = settings;
  const properties = voucherProperties(clock);
  const guarded = makeGuard(settings);

  const inSite = (handle: (site: SimulatedSite, call: Call) => Reply): ((call: Call) => Reply) =>
    guarded((call) => handle(siteOf(store, call), call));

  const writing =
    (handle: (site: SimulatedSite, call: Call) => Reply) =>
    (site: SimulatedSite, call: Call): Reply => {
      if (settings.readOnly) throw new Refusal(403, 'api.authorization.forbidden', 'Access is denied');
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
        return page(query, { usual: 100, most: settings.maxVouchers }, found, (voucher) =>
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
          return { ...json(201, { vouchers: shown }), created: 'vouchers' };
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
          return json(200, { vouchersDeleted: found.length });
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
        if (!voucher) throw notFound('Voucher', call.params['voucherId']);
        return json(200, integrationVoucher(voucher, clock()));
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
            throw notFound('Voucher', call.params['voucherId']);
          return json(200, { vouchersDeleted: voucher ? 1 : 0 });
        }),
      ),
      'delete',
    ),
  ];
};

/** Lets in those with the right key: the cloud's through the connector, the console's own directly. */
const makeGuard =
  (settings: Settings) =>
  (handle: (call: Call) => Reply) =>
  (call: Call): Reply => {
    const key = call.headers['x-api-key'];
    const right = call.via === 'cloud' ? settings.cloudApiKey : settings.apiKey;
    // Somebody stands in front of the application and knows keys, except where it stands alone.
    if (key !== right && (call.via === 'cloud' || settings.variant === 'unifi-os')) {
      return gatewayError(401, 'Unauthorized');
    }
    try {
      if (key === undefined) {
        throw new Refusal(401, 'api.authentication.missing-credentials', 'Missing credentials');
      }
      if (key !== right)
        throw new Refusal(401, 'api.authentication.invalid-credentials', 'Invalid credentials');
      return handle(call);
    } catch (error) {
      if (error instanceof Refusal) return applicationError(settings, call, error);
      throw error;
    }
  };

const siteOf = (store: VoucherStore, { params: { siteId = '' } }: Call): SimulatedSite => {
  if (!uuidPattern.test(siteId)) throw mismatch('siteId', siteId);
  const site = store.sites.find(({ id }) => id === siteId.toLowerCase());
  if (!site) throw notFound('Site', siteId);
  return site;
};

const voucherOf = (
  store: VoucherStore,
  { reference }: SimulatedSite,
  { params: { voucherId = '' } }: Call,
): SimulatedVoucher | undefined => {
  if (!uuidPattern.test(voucherId)) throw mismatch('voucherId', voucherId);
  return store.byId(reference, voucherId);
};

const integrationSite = ({ id, reference, name }: SimulatedSite): unknown => ({
  id,
  internalReference: reference,
  name,
});

const missingFilter = (): Refusal =>
  new Refusal(400, 'api.request.error', "Required parameter 'filter' is not present");
