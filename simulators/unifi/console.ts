import { makeCertificate } from '../certificate.js';
import { classicRoutes } from './classicApi.js';
import { classicError } from './classicFormat.js';
import { controlRoutes } from './control.js';
import { limitCount, makeFaultInjector, type ConsoleFault } from './faults.js';
import { integrationRoutes } from './integrationApi.js';
import { applicationError, IntegrationError } from './integrationFormat.js';
import { selfHostedLoginRoutes, unifiOsLoginRoutes } from './login.js';
import { makeRequestCounter, type RequestCounts } from './requestCounts.js';
import { makeRouter } from './router.js';
import { startConsoleServer } from './server.js';
import { makeConsoleSessions } from './sessions.js';
import { resolveSettings, type ConsoleOptions } from './settings.js';
import { makeVoucherStore, type SimulatedVoucher, type VoucherStore } from './voucherStore.js';

/** A running console, with what tests may inspect and do. */
export interface UnifiConsole {
  readonly url: string;
  /** The console's address through the cloud connector, up to and including its id. */
  readonly cloudUrl: string;
  /** PEM. */
  readonly certificate: string;
  /** SHA-256, `AB:CD:…`. */
  readonly fingerprint: string;
  readonly apiKey: string;
  readonly cloudApiKey: string;
  readonly username: string;
  readonly password: string;
  readonly counts: RequestCounts;
  resetCounts(): void;
  /** Every cookie, JWT and CSRF token that it has issued. */
  readonly tokens: readonly string[];
  /** Copies of its vouchers, of one site or of all. */
  vouchers(site?: string): SimulatedVoucher[];
  /** Adds vouchers from elsewhere, quickly. */
  seed(count: number, values?: Partial<SimulatedVoucher>): void;
  /** Guests sign in: the first use starts the validity. */
  use(code: string, guests?: number): void;
  /** Deletes it on the console. */
  remove(code: string): void;
  endSessions(): void;
  fault(fault: ConsoleFault | undefined): void;
  stop(): Promise<void>;
}

/** Starts a UniFi console that behaves like a real one, in this process. */
export const startUnifiConsole = async (options: ConsoleOptions = {}): Promise<UnifiConsole> => {
  const settings = resolveSettings(options);
  const { host, username, password, apiKey, cloudApiKey, consoleId } = settings;
  const certificate = options.certificate ?? (await makeCertificate('unifi.local'));
  const counter = makeRequestCounter();
  const faults = makeFaultInjector();
  const sessions = makeConsoleSessions(settings);
  const vouchers = makeVoucherStore(settings);
  const store: VoucherStore = {
    ...vouchers,
    create: (site, count, order) => vouchers.create(site, limitCount(faults, count), order),
  };
  const isUnifiOs = settings.variant === 'unifi-os';
  const loginRoutes = isUnifiOs ? unifiOsLoginRoutes : selfHostedLoginRoutes;
  const prefix = isUnifiOs ? '/proxy/network' : '';
  const heading = {
    title: 'Simulated UniFi console',
    subtitle: `${isUnifiOs ? 'UniFi OS' : 'Self-hosted'}, Network ${settings.version}`,
  };

  const server = await startConsoleServer({
    settings,
    certificate,
    counter,
    faults,
    api: makeRouter([
      ...loginRoutes(settings, sessions),
      ...classicRoutes({ settings, store, sessions, counter }, prefix),
      ...integrationRoutes(settings, store, prefix),
    ]),
    control: makeRouter(controlRoutes({ settings, heading, store, counter, faults })),
    notFound: (call) =>
      call.path.startsWith(`${prefix}/integration/`)
        ? applicationError(settings, call, new IntegrationError(404, 'api.resource-not-found', 'Not found'))
        : classicError(404, 'api.err.NotFound'),
  });
  const url = `https://${reachable(host)}:${server.port}`;

  return {
    url,
    cloudUrl: `${url}/v1/connector/consoles/${consoleId}`,
    certificate: certificate.cert,
    fingerprint: certificate.fingerprint,
    apiKey,
    cloudApiKey,
    username,
    password,
    get counts() {
      return counter.counts;
    },
    resetCounts: counter.reset,
    tokens: sessions.tokens,
    vouchers: (site) =>
      store.sites
        .filter(({ reference }) => site === undefined || reference === site)
        .flatMap(({ reference }) => store.list(reference).map((voucher) => ({ ...voucher }))),
    seed: (count, values = {}) => store.add(count, values),
    use: (code, guests = 1) => store.use(code, guests),
    remove: store.remove,
    endSessions: sessions.closeAll,
    fault: faults.set,
    stop: server.stop,
  };
};

/** An address to connect to: the listening address may stand for all interfaces. */
export const reachable = (host: string): string => {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return address.includes(':') ? `[${address}]` : address;
};
