import { startMikrotikRouter, type MikrotikRouter } from '../../simulators/mikrotik/router.js';
import type { SimulatedMikrotikOptions } from '../../simulators/mikrotik/settings.js';
import type { Controller, ControllerDeps, ControllerSpec } from '../../src/controllers/controller.js';
import { makeMikrotik } from '../../src/controllers/mikrotik/mikrotik.js';
import { nodeSystem } from '../../src/lib/system.js';
import type { TestController } from '../conformance/controller.js';
import { sharedCertificate } from './certificate.js';
import { someControllerDeps } from './controllerDeps.js';

/** A MikroTik router, and the adapter to it as the service makes it. */
export interface TestMikrotik {
  readonly router: MikrotikRouter;
  readonly spec: ControllerSpec;
  connect(values?: Partial<ControllerSpec & ControllerDeps>): Controller;
  /** Time passes. */
  later(ms: number): void;
}

export const startTestMikrotik = async (options: SimulatedMikrotikOptions = {}): Promise<TestMikrotik> => {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const router = await startMikrotikRouter({
    certificate: await sharedCertificate(),
    clock: now,
    ...options,
  });
  const { url, fingerprint, username, password } = router;
  const spec = {
    id: 1,
    name: 'Zentrale',
    kind: 'mikrotik',
    settings: { url, fingerprint },
    credentials: { username, password },
  };
  const deps = someControllerDeps({ system: { ...nodeSystem, now }, deadlineMs: 60_000 });
  return {
    router,
    spec,
    connect: (values) => makeMikrotik({ ...spec, ...deps, ...values }),
    later: (ms) => {
      ahead += ms;
    },
  };
};

/** The same for one test, with a connection to it. */
export const startConnectedMikrotik = async (
  ends: (() => unknown)[],
  options: SimulatedMikrotikOptions = {},
): Promise<TestMikrotik & { controller: Controller }> => {
  const running = await startTestMikrotik(options);
  ends.push(() => running.router.stop());
  const controller = running.connect();
  ends.push(() => controller.close());
  return { ...running, controller };
};

/** A router of its own for each test of the conformance suite. */
export const mikrotikForConformance = async (
  options: SimulatedMikrotikOptions = {},
): Promise<TestController> => {
  const { router, connect, later } = await startTestMikrotik(options);
  return {
    connect,
    use: async (code) => router.use(code),
    later,
    fill: () => Promise.reject(new Error('its lists have no pages')),
    remove: () => router.stop(),
  };
};
