import { startMikrotikRouter } from '../../../simulators/mikrotik/router.js';
import { startOmadaController } from '../../../simulators/omada/controller.js';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import type { ConsoleFault } from '../../../simulators/unifi/faults.js';
import type { ConsoleVariant } from '../../../simulators/unifi/settings.js';
import type { ControllerCredentials } from '../../../src/controllers/controller.js';
import type { ConsoleTraits, FaultAdapter } from './faultAdapter.js';
import { radiusFaultAdapter } from './radiusFaults.js';

/** One kind of access of the service to a console. */
export interface ConsoleAdapter {
  readonly title: string;
  readonly kind: string;
  readonly variant: ConsoleVariant;
  url(console: UnifiConsole): string;
  credentials(console: UnifiConsole): ControllerCredentials;
}

const classic = {
  kind: 'unifi-classic',
  url: ({ url }: UnifiConsole) => url,
  credentials: ({ username, password }: UnifiConsole) => ({ username, password }),
} as const;

export const consoleAdapters: readonly ConsoleAdapter[] = [
  {
    title: 'unifi, local',
    kind: 'unifi',
    variant: 'unifi-os',
    url: ({ url }) => url,
    credentials: ({ apiKey }) => ({ apiKey }),
  },
  {
    title: 'unifi, cloud',
    kind: 'unifi',
    variant: 'unifi-os',
    url: ({ cloudUrl }) => cloudUrl,
    credentials: ({ cloudApiKey }) => ({ apiKey: cloudApiKey }),
  },
  { title: 'unifi-classic, self-hosted', variant: 'self-hosted', ...classic },
  { title: 'unifi-classic, UniFi OS', variant: 'unifi-os', ...classic },
];

export const faultAdapters: readonly FaultAdapter[] = [
  ...consoleAdapters.map(({ title, kind, variant, url, credentials }): FaultAdapter => ({
    title,
    kind,
    start: async (options) => {
      const console = await startUnifiConsole({ variant, ...options });
      return {
        settings: { url: url(console), fingerprint: console.fingerprint },
        credentials: credentials(console),
        site: 'default',
        fault: console.fault,
        codes: () => console.vouchers().map(({ code }) => code),
        stop: console.stop,
      };
    },
  })),
  {
    title: 'omada',
    kind: 'omada',
    start: async ({ clock } = {}) => {
      const omada = await startOmadaController({ ...(clock && { clock }) });
      const { url, fingerprint, clientId, clientSecret, sites } = omada;
      return {
        settings: { url, fingerprint },
        credentials: { clientId, clientSecret },
        site: sites[0]?.id ?? '',
        fault: omada.fault,
        codes: () => omada.vouchers().map(({ code }) => code),
        stop: omada.stop,
      };
    },
  },
  ...(['absent', 'on'] as const).map((userManager): FaultAdapter => ({
    title: userManager === 'on' ? 'mikrotik, User Manager' : 'mikrotik, hotspot users',
    kind: 'mikrotik',
    start: async ({ clock } = {}) => {
      const router = await startMikrotikRouter({ userManager, ...(clock && { clock }) });
      const { url, fingerprint, username, password, servers } = router;
      return {
        settings: { url, fingerprint },
        credentials: { username, password },
        site: servers[0] ?? '',
        fault: router.fault,
        codes: () => router.vouchers().map(({ code }) => code),
        stop: router.stop,
      };
    },
  })),
  // Its database is on the PostgreSQL server of `npm test`.
  ...(process.env['TEST_POSTGRES_URL'] === undefined ? [] : [radiusFaultAdapter]),
];

/** A fault of a console. */
export interface FaultScenario {
  readonly title: string;
  readonly fault: ConsoleFault;
  readonly console?: ConsoleTraits;
}

/** The controller deadline in these scenarios. */
export const faultDeadlineMs = 2000;

const hoursMs = 3_600_000;

export const faultScenarios: readonly FaultScenario[] = [
  { title: 'slow, in time', fault: { kind: 'slow', delayMs: 200 } },
  { title: 'slow, too late', fault: { kind: 'slow', delayMs: 2 * faultDeadlineMs } },
  { title: 'hangs', fault: { kind: 'hang' } },
  { title: 'reset before the commit', fault: { kind: 'reset-before' } },
  { title: 'reset after the commit', fault: { kind: 'reset-after' } },
  { title: '502 with HTML', fault: { kind: 'bad-gateway' } },
  { title: 'truncated answer', fault: { kind: 'truncated' } },
  { title: 'JSON of another shape', fault: { kind: 'wrong-json' } },
  { title: 'throttled', fault: { kind: 'throttled' } },
  { title: 'no list of vouchers', fault: { kind: 'no-list' } },
  { title: 'an empty list', fault: { kind: 'empty-list' } },
  { title: 'a voucher without a code', fault: { kind: 'no-code' } },
  { title: 'a voucher without an id', fault: { kind: 'no-id' } },
  {
    title: 'name cut, reset after',
    fault: { kind: 'reset-after' },
    console: { keepNote: (note) => note.slice(0, 24) },
  },
  {
    title: 'clock 3 h behind, reset after',
    fault: { kind: 'reset-after' },
    console: { clock: () => Date.now() - 3 * hoursMs },
  },
  {
    title: 'clock 3 h ahead, reset after',
    fault: { kind: 'reset-after' },
    console: { clock: () => Date.now() + 3 * hoursMs },
  },
];

/** Each adapter in each scenario. Only UniFi has names that are so long that a controller may cut them. */
export const faultCells = faultScenarios.flatMap((trial) =>
  faultAdapters
    .filter(({ kind }) => trial.console?.keepNote === undefined || kind.startsWith('unifi'))
    // A database has no console, whose clock could be another one.
    .filter(({ faults }) => !faults || (!trial.console && faults.includes(trial.fault.kind)))
    .map((adapter) => ({ trial, adapter })),
);
