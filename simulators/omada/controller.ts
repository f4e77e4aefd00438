import { makeCertificate } from '../certificate.js';
import { reachable } from '../unifi/console.js';
import { controlRoutes } from '../unifi/control.js';
import { makeFaultInjector, type ConsoleFault } from '../unifi/faults.js';
import { makeRequestCounter, type RequestCounts } from '../unifi/requestCounts.js';
import { jsonReply, makeRouter } from '../unifi/router.js';
import { startConsoleServer } from '../unifi/server.js';
import { makeOmadaTokenStore, openApiRoutes } from './openApi.js';
import { resolveOmadaSettings, type SimulatedOmadaOptions, type OmadaSettings } from './settings.js';
import { makeOmadaStore, type GroupOrder, type OmadaVoucher } from './store.js';

/** A running Omada controller, with what tests may inspect and do. */
export interface OmadaController {
  readonly url: string;
  /** PEM. */
  readonly certificate: string;
  /** SHA-256, `AB:CD:…`. */
  readonly fingerprint: string;
  readonly omadacId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly sites: OmadaSettings['sites'];
  readonly counts: RequestCounts;
  resetCounts(): void;
  /** Every token that it has issued. */
  readonly tokens: readonly string[];
  /** Copies of its vouchers, of one site or of all. */
  vouchers(site?: string): OmadaVoucher[];
  /** The names of its voucher groups. */
  groupNames(): string[];
  /** Adds groups of one voucher to the first site, quickly; or so many vouchers of one group. */
  seed(groups: number, values?: Partial<GroupOrder>): void;
  /** Guests sign in: the first use starts the validity. */
  use(code: string, guests?: number): void;
  /** Deletes it on the controller. */
  remove(code: string): void;
  /** The time of a voucher in use is over now. */
  endVoucher(code: string): void;
  expireTokens(): void;
  fault(fault: ConsoleFault | undefined): void;
  stop(): Promise<void>;
}

/** Starts an Omada controller that behaves like a real one, in this process. */
export const startOmadaController = async (options: SimulatedOmadaOptions = {}): Promise<OmadaController> => {
  const settings = resolveOmadaSettings(options);
  const { clientId, clientSecret, omadacId, sites, version } = settings;
  const certificate = options.certificate ?? (await makeCertificate('omada.local'));
  const counter = makeRequestCounter();
  const faults = makeFaultInjector();
  const tokens = makeOmadaTokenStore(settings);
  const store = makeOmadaStore(settings);
  const heading = { title: 'Simulated Omada controller', subtitle: `Version ${version}` };
  let seeded = 0;

  const server = await startConsoleServer({
    // It has no other variant, and is not reached through a cloud.
    settings: { ...settings, variant: 'self-hosted', consoleId: '' },
    certificate,
    counter,
    faults,
    api: makeRouter(openApiRoutes({ settings, store, tokens, faults })),
    control: makeRouter(controlRoutes({ settings, heading, store, counter, faults })),
    notFound: ({ path }) =>
      jsonReply(404, {
        timestamp: new Date(settings.clock()).toISOString(),
        status: 404,
        error: 'Not Found',
        path,
      }),
  });

  return {
    url: `https://${reachable(settings.host)}:${String(server.port)}`,
    certificate: certificate.cert,
    fingerprint: certificate.fingerprint,
    omadacId,
    clientId,
    clientSecret,
    sites,
    get counts() {
      return counter.counts;
    },
    resetCounts: counter.reset,
    tokens: tokens.issued,
    vouchers: (site) =>
      sites
        .filter(({ id }) => site === undefined || id === site)
        .flatMap(({ id }) => store.list(id).map((voucher) => ({ ...voucher }))),
    groupNames: () => sites.flatMap(({ id }) => store.groups(id).map(({ name }) => name)),
    seed: (groups, values = {}) => {
      for (let made = 0; made < groups; made += 1) {
        seeded += 1;
        const given = { ...someGroup, name: `Seeded ${String(seeded)}`, ...values };
        store.create(sites[0]?.id ?? '', given, toOrder(given), given.amount);
      }
    },
    use: (code, guests = 1) => store.use(code, guests),
    remove: store.remove,
    endVoucher: store.end,
    expireTokens: tokens.expireAll,
    fault: faults.set,
    stop: server.stop,
  };
};

const someGroup: GroupOrder = {
  name: '',
  amount: 1,
  limit: 1,
  minutes: 480,
  down: 0,
  up: 0,
  quotaMb: 0,
  codeLength: 10,
  characters: '0123456789',
};

/** A group from elsewhere, as if it had been ordered by the Open API. */
const toOrder = ({ name, limit, minutes }: GroupOrder) => ({
  name,
  ...(limit > 0 ? { limitType: 0, limitNum: limit } : { limitType: 2 }),
  duration: minutes,
  durationType: 1,
  timingType: 0,
  rateLimit: { mode: 0, customRateLimit: { downLimitEnable: false, upLimitEnable: false } },
  trafficLimitEnable: false,
  applyToAllPortals: true,
});
