import type { UnifiConsole } from '../../../simulators/unifi/console.js';
import type { ConsoleFault } from '../../../simulators/unifi/faults.js';
import type { ConsoleOptions, ConsoleVariant } from '../../../simulators/unifi/settings.js';
import type { ControllerCredentials } from '../../../src/controllers/controller.js';

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

/** A fault of a console. */
export interface FaultScenario {
  readonly title: string;
  readonly fault: ConsoleFault;
  readonly console?: ConsoleOptions;
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
