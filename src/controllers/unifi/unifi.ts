import type { Controller, ControllerVoucher, VoucherOrder } from '../controller.js';
import { ControllerError, unseenVoucher } from '../controller.js';
import { mergeSeconds } from '../match.js';
import { makeConnection } from '../connection/https.js';
import { fieldsOf, type Fields } from '../connection/reading.js';
import { parseConnectionSettings } from '../connection/settings.js';
import { makeUnderWay } from '../connection/underWay.js';
import { certainly } from '../connection/waiting.js';
import type { ControllerSpec, ControllerSurroundings } from '../registry.js';
import { infoPath, makeApi } from './api.js';
import { checkBounds } from './bounds.js';
import { readAll, readPage, type Page } from './paging.js';
import { makeProbe } from './probing.js';
import { parseApiKey } from './settings.js';
import { makeSites } from './sites.js';
import { toRequest, toVoucher } from './voucher.js';

export type UnifiOptions = Pick<ControllerSpec, 'name' | 'settings' | 'credentials'> &
  Pick<ControllerSurroundings, 'effects' | 'log' | 'deadlineMs'> & {
    /** How long it is left alone at first when it fails again and again. */
    readonly restMs?: number;
  };

const pageSize = 1000;

/** A controller's clock may be that much behind ours. What expired in that time is told again, which costs little. */
const skewMs = 24 * 3_600_000;

/** One answer with the vouchers of a minute more costs less than another call. */
const gapSeconds = 60;

/** UniFi Network by its official Integration API, with an API key: a console, its cloud connector, or self-hosted. */
export const makeUnifi = (options: UnifiOptions): Controller => {
  const { name, deadlineMs } = options;
  const apiKey = parseApiKey(options.credentials);
  const connection = makeConnection(parseConnectionSettings(options.settings), options, {
    path: infoPath,
    headers: { 'x-api-key': apiKey },
  });
  const api = makeApi({ connection, name, apiKey, deadlineMs });
  const sites = makeSites(api, name);
  const probe = makeProbe({ api, sites, name });
  const { track, over } = makeUnderWay();

  const pageOf = (
    site: string | null,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Page> =>
    sites.use(
      site,
      async (id) => {
        const path = `/sites/${id}/hotspot/vouchers?${new URLSearchParams(query).toString()}`;
        return readPage(name, await certainly(api.ask({ method: 'GET', path, signal })));
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
    for await (const item of readAll(name, ask)) yield readVoucher(name, item);
  };

  return {
    create: async (order, count, signal) => {
      checkBounds(name, order, count);
      const json = toRequest(order, count);
      const make = async (id: string) =>
        readMade(
          order,
          await api.ask({ method: 'POST', path: `/sites/${id}/hotspot/vouchers`, json, signal }),
        );
      return track(sites.use(order.controllerSite, make, signal));
    },
    list: (site, signal) => vouchersOf(site, {}, signal),
    createdIn: async function* (site, ranges, signal) {
      for (const [first, last] of mergeSeconds(ranges, gapSeconds)) {
        const [from, behind] = [first * 1000, (last + 1) * 1000].map(timestamp);
        const filter = `and(createdAt.ge(${from}),createdAt.lt(${behind}))`;
        yield* vouchersOf(site, { filter }, signal);
      }
    },
    clock: connection.clock,
    incremental: {
      count: async (site, signal) => (await track(pageOf(site, { limit: '1' }, signal))).total,
      // Whatever was used has an expiry, and while it can be used, that lies ahead.
      changed: (site, since, signal) =>
        vouchersOf(site, { filter: `expiresAt.ge(${timestamp(since - skewMs)})` }, signal),
    },
    revoke: (site, voucherId, signal) =>
      track(
        sites.use(
          site,
          async (id) => {
            const path = `/sites/${id}/hotspot/vouchers/${encodeURIComponent(voucherId)}`;
            const answer = await certainly(api.send({ method: 'DELETE', path, signal }));
            // Gone already, or an answer without a body: both are well.
            if (answer.status !== 404 && answer.status >= 300) api.settle(answer);
          },
          signal,
        ),
      ),
    probe: (told) => track(probe(told)),
    close: async () => {
      await over();
      await connection.close();
    },
  };
};

const readVoucher = (name: string, item: Fields): ControllerVoucher => {
  const voucher = toVoucher(item);
  if (voucher) return voucher;
  throw new ControllerError(name, { trouble: 'unreadable', reason: 'voucher' });
};

/** Once the controller has said yes there may be a voucher, whatever its answer shows of it. */
const readMade = (order: VoucherOrder, json: unknown): readonly ControllerVoucher[] => {
  const { vouchers } = fieldsOf(json);
  const shown: readonly unknown[] = Array.isArray(vouchers) ? vouchers : [];
  return shown.map((voucher) => toVoucher(voucher) ?? unseenVoucher(order));
};

/** The filter's timestamps have no fraction of a second. */
const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
