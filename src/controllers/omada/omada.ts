import type { Controller, ControllerDeps, ControllerSpec, ControllerVoucher } from '../controller.js';
import { withKnownOutcome } from '../errors.js';
import { makeConnection } from '../https/connection.js';
import { trackInFlightCalls } from '../https/queue.js';
import { parseConnectionSettings } from '../https/settings.js';
import { isInTimeRange } from '../match.js';
import { asFields } from '../parsing.js';
import { isUndocumentedRefusal } from './answer.js';
import { makeOmadaCreate, makeOmadaFind } from './creation.js';
import { makeOmadaGroups, type GroupSummary, type OmadaGroups } from './groups.js';
import { makeOmadaApi, redactQuote, type OmadaApi } from './openApi.js';
import { makeOmadaSites, type OmadaSites } from './sites.js';
import { omadaInfoPath, makeOmadaTokens, parseOmadaClient, type OmadaTokens } from './tokens.js';
import { keptLimits, maxVouchersPerGroup } from './voucher.js';

export type OmadaOptions = Pick<ControllerSpec, 'name' | 'settings' | 'credentials'> &
  Pick<ControllerDeps, 'system' | 'log' | 'deadlineMs'>;

/** A controller's clock may be that much behind ours. Vouchers that expired in that time are listed again. */
const skewMs = 24 * 3_600_000;

/** TP-Link Omada by its Open API, as an application in client mode. An order is a voucher group. */
export const makeOmada = (options: OmadaOptions): Controller => {
  const { name, system, deadlineMs } = options;
  const client = parseOmadaClient(options.credentials);
  const settings = parseConnectionSettings(options.settings);
  const connection = makeConnection(settings, options, { path: omadaInfoPath });
  const tokens = makeOmadaTokens({ connection, client, name, redact: redactQuote });
  const api = makeOmadaApi({ connection, tokens, name, deadlineMs });
  const sites = makeOmadaSites(api, name);
  const groups = makeOmadaGroups({ api, name, system });
  const create = makeOmadaCreate({ api, groups, sites, name, maxOrders: settings.maxCalls });
  const find = makeOmadaFind({ groups, sites });
  const revoke = makeRevoke({ api, sites });
  const probe = makeProbe({ tokens, sites });
  const vouchersOf = makeList({ groups, sites });
  const { track, onIdle } = trackInFlightCalls();

  return {
    create: (...order) => track(create(...order)),
    find: (order, _count, signal) => track(find(order, signal)),
    codeBlock: 0,
    keptLimits,
    maxPerCall: maxVouchersPerGroup,
    list: (site, signal) => vouchersOf(site, () => true, signal),
    createdIn: (site, ranges, signal) =>
      vouchersOf(site, ({ createdAt }) => ranges.some((range) => isInTimeRange(createdAt, range)), signal),
    clock: connection.clock,
    connectionState: connection.state,
    incremental: {
      count: (site, signal) =>
        track(
          sites.use(
            site,
            async (path) => (await groups.all(path, signal)).reduce((sum, { total = 0 }) => sum + total, 0),
            signal,
          ),
        ),
      changed: async function* (site, since, signal) {
        for await (const voucher of vouchersOf(site, ({ isTouched }) => isTouched, signal)) {
          const { usedCount, expired, expiresAt } = voucher;
          const isOld = expired && expiresAt !== null && expiresAt < since - skewMs;
          if ((usedCount > 0 || expired) && !isOld) yield voucher;
        }
      },
    },
    revoke: (...voucher) => track(revoke(...voucher)),
    probe: (onStep) => track(probe(onStep)),
    close: async () => {
      await onIdle();
      await connection.close();
    },
  };
};

interface ListOptions {
  readonly groups: OmadaGroups;
  readonly sites: OmadaSites;
}

/** The vouchers of those groups of a site that are wanted. */
const makeList = ({ groups, sites }: ListOptions) =>
  async function* (
    site: string | null,
    isWanted: (group: GroupSummary) => boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ControllerVoucher> {
    const all = await sites.use(site, (path) => groups.all(path, signal), signal);
    for (const group of all)
      if (isWanted(group))
        yield* await sites.use(site, (path) => groups.vouchersOf(path, group, signal), signal);
  };

interface RevokeOptions {
  readonly api: OmadaApi;
  readonly sites: OmadaSites;
}

/**
 * What the controller answers for a voucher that does not exist is not documented. So after a refusal that is
 * not documented either, it is asked for the voucher: if it does not show it, the voucher is gone.
 */
const makeRevoke =
  ({ api, sites }: RevokeOptions): Controller['revoke'] =>
  (controllerSite, id, signal) =>
    sites.use(
      controllerSite,
      async (site) => {
        const path = `${site}/hotspot/vouchers/${encodeURIComponent(id)}`;
        const remove = async (): Promise<void> => {
          const answer = await api.send({ method: 'DELETE', path, signal });
          if (isUndocumentedRefusal(answer)) {
            const shown = await api.send({ method: 'GET', path, signal });
            if (isUndocumentedRefusal(shown) || asFields(api.unwrap(shown))['id'] === undefined) return;
          }
          api.unwrap(answer);
        };
        await withKnownOutcome(remove());
      },
      signal,
    );

interface ProbeOptions {
  readonly tokens: OmadaTokens;
  readonly sites: OmadaSites;
}

const makeProbe =
  ({ tokens, sites }: ProbeOptions): Controller['probe'] =>
  async (onStep) => {
    const info = await tokens.info();
    onStep?.('connected');
    await tokens.get();
    onStep?.('signed-in');
    const version = info.version ?? 'unknown';
    onStep?.('version', version);
    const known = await sites.all();
    onStep?.('sites');
    return { version, sites: known };
  };
