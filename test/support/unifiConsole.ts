import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleOptions } from '../../simulators/unifi/settings.js';
import type { Controller, ControllerDeps, ControllerSpec } from '../../src/controllers/controller.js';
import { nodeSystem } from '../../src/lib/system.js';
import type { TestController } from '../conformance/controller.js';
import { sharedCertificate } from './certificate.js';
import { someControllerDeps } from './controllerDeps.js';

/** A UniFi console, and the three ways to it as controllers of the service. */
export interface TestConsole {
  readonly console: UnifiConsole;
  /** By the Integration API, directly. */
  readonly local: ControllerSpec;
  /** By the Integration API, through the cloud connector. */
  readonly cloud: ControllerSpec;
  /** By the classic API, with user and password. */
  readonly classic: ControllerSpec;
  /** What the service gives to controllers: the console's clock, and time enough for a slow machine. */
  readonly surroundings: ControllerDeps;
  /** Time passes. */
  later(ms: number): void;
}

export const startTestConsole = async (options: ConsoleOptions = {}): Promise<TestConsole> => {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const console = await startUnifiConsole({ certificate: await sharedCertificate(), clock: now, ...options });
  const { url, cloudUrl, fingerprint, apiKey, cloudApiKey, username, password } = console;
  const spec = (
    kind: string,
    address: string,
    credentials: ControllerSpec['credentials'],
  ): ControllerSpec => ({
    id: 1,
    name: 'Zentrale',
    kind,
    settings: { url: address, fingerprint },
    credentials,
  });
  return {
    console,
    local: spec('unifi', url, { apiKey }),
    cloud: spec('unifi', cloudUrl, { apiKey: cloudApiKey }),
    classic: spec('unifi-classic', url, { username, password }),
    surroundings: someControllerDeps({ system: { ...nodeSystem, now }, deadlineMs: 60_000 }),
    later: (ms) => {
      ahead += ms;
    },
  };
};

/** A console of its own for each test of the conformance suite; pages are short, so that a list soon has several. */
export const consoleForConformance = async (
  connect: (test: TestConsole) => Controller,
  options: ConsoleOptions = {},
): Promise<TestController> => {
  const test = await startTestConsole({ maxPage: 100, ...options });
  return {
    connect: () => connect(test),
    use: async (code) => test.console.use(code),
    later: test.later,
    fill: async () => {
      test.console.seed(250);
      return 250;
    },
    remove: () => test.console.stop(),
  };
};
