import {
  unseenVoucher,
  type Controller,
  type ControllerDeps,
  type ControllerSpec,
  type ControllerVoucher,
  type VoucherOrder,
} from '../controller.js';
import { ControllerError, withKnownOutcome } from '../errors.js';
import { makeConnection } from '../https/connection.js';
import { trackInFlightCalls } from '../https/queue.js';
import { parseConnectionSettings } from '../https/settings.js';
import { parseApiKey } from '../kinds.js';
import { mergeToSeconds } from '../match.js';
import { asFields, asText, type Fields } from '../parsing.js';
import {
  infoPath,
  makeIntegrationApi,
  parsePage,
  readAllPages,
  requiredVersion,
  type IntegrationApi,
  type Page,
} from './integrationApi.js';
import { makeIntegrationSites, type IntegrationSites } from './sites.js';
import { checkBounds, parseIntegrationVoucher, toIntegrationOrder } from './voucher.js';

export type UnifiOptions = Pick<ControllerSpec, 'name' | 'settings' | 'credentials'> &
  Pick<ControllerDeps, 'system' | 'log' | 'deadlineMs'>;

const pageSize = 1000;

/** A controller's clock may be that much behind ours. Vouchers that expired in that time are listed again. */
const skewMs = 24 * 3_600_000;

/** Listing a minute more costs less than another call. */
const gapSeconds = 60;

/**
 * UniFi Network by its official Integration API, with an
 * API key: a console, its cloud connector, or self-hosted.
 */
export const makeUnifi = (options: UnifiOptions): Controller => {
  const { name, deadlineMs } = options;
  const apiKey = parseApiKey(options.credentials);
  const connection = makeConnection(parseConnectionSettings(options.settings), options, {
    path: infoPath,
    headers: { 'x-api-key': apiKey },
  });
  const api = makeIntegrationApi({ connection, name, apiKey, deadlineMs });
  const sites = makeIntegrationSites(api, name);
  const probe = makeProbe({ api, sites, name });
  const { track, onIdle } = trackInFlightCalls();

  const pageOf = (
    site: string | null,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Page> =>
    sites.use(
      site,
      async (id) => {
        const path = `/sites/${id}/hotspot/vouchers?${new URLSearchParams(query).toString()}`;
        return parsePage(name, await withKnownOutcome(api.ask({ method: 'GET', path, signal })));
      },
      signal,
    );

  const vouchersOf = async function* (
    site: string | null,
    filter: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ControllerVoucher> {
    const ask = (offset: number) =>
      track(pageOf(site, { offset: String(offset), limit: String(pageSize), ...filter }, signal));
    for await (const item of readAllPages(name, ask)) yield parseListed(name, item);
  };

  return {
    create: async (order, count, signal) => {
      checkBounds(name, order, count);
      const json = toIntegrationOrder(order, count);
      const make = async (id: string) =>
        parseCreated(
          order,
          await api.ask({ method: 'POST', path: `/sites/${id}/hotspot/vouchers`, json, signal }),
        );
      return track(sites.use(order.controllerSite, make, signal));
    },
    list: (site, signal) => vouchersOf(site, {}, signal),
    createdIn: async function* (site, ranges, signal) {
      for (const [first, last] of mergeToSeconds(ranges, gapSeconds)) {
        const [from, behind] = [first * 1000, (last + 1) * 1000].map(timestamp);
        const filter = `and(createdAt.ge(${from}),createdAt.lt(${behind}))`;
        yield* vouchersOf(site, { filter }, signal);
      }
    },
    clock: connection.clock,
    connectionState: connection.state,
    incremental: {
      count: async (site, signal) => (await track(pageOf(site, { limit: '1' }, signal))).total,
      // A used voucher has an expiry time, which is in the future as long as it is valid.
      changed: (site, since, signal) =>
        vouchersOf(site, { filter: `expiresAt.ge(${timestamp(since - skewMs)})` }, signal),
    },
    revoke: (site, voucherId, signal) =>
      track(
        sites.use(
          site,
          async (id) => {
            const path = `/sites/${id}/hotspot/vouchers/${encodeURIComponent(voucherId)}`;
            const answer = await withKnownOutcome(api.send({ method: 'DELETE', path, signal }));
            // Already gone, or an answer without a body: both are fine.
            if (answer.status !== 404 && answer.status >= 300) api.unwrap(answer);
          },
          signal,
        ),
      ),
    probe: (onStep) => track(probe(onStep)),
    close: async () => {
      await onIdle();
      await connection.close();
    },
  };
};

const parseListed = (name: string, item: Fields): ControllerVoucher => {
  const voucher = parseIntegrationVoucher(item);
  if (voucher) return voucher;
  throw new ControllerError(name, { kind: 'unreadable', reason: 'voucher' });
};

/** Once the controller has accepted the order there may be a voucher, even if the answer does not show it. */
const parseCreated = (order: VoucherOrder, json: unknown): readonly ControllerVoucher[] => {
  const { vouchers } = asFields(json);
  const shown: readonly unknown[] = Array.isArray(vouchers) ? vouchers : [];
  return shown.map((voucher) => parseIntegrationVoucher(voucher) ?? unseenVoucher(order));
};

/** Timestamps in filters have no fractions of a second. */
const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

interface ProbeOptions {
  readonly api: IntegrationApi;
  readonly sites: IntegrationSites;
  readonly name: string;
}

/** The version is untrusted text. */
const maxVersionLength = 40;

const makeProbe =
  ({ api, sites, name }: ProbeOptions): Controller['probe'] =>
  async (onStep) => {
    const answer = await withKnownOutcome(api.send({ method: 'GET', path: '/info' }));
    onStep?.('connected');
    const info = await withKnownOutcome(Promise.resolve(answer).then(api.unwrap));
    onStep?.('signed-in');
    const version = asText(asFields(info)['applicationVersion']);
    if (version === undefined) throw new ControllerError(name, { kind: 'unreadable', reason: 'no-version' });
    if (!isAtLeast(version, requiredVersion))
      throw new ControllerError(name, {
        kind: 'refused',
        reason: 'too-old',
        version: version.slice(0, maxVersionLength),
        needed: requiredVersion,
      });
    onStep?.('version', version);
    const known = await sites.all();
    onStep?.('sites');
    return { version, sites: known.map((site) => ({ id: site.reference, name: site.name })) };
  };

const isAtLeast = (version: string, needed: string): boolean =>
  version.localeCompare(needed, 'en', { numeric: true }) >= 0;
