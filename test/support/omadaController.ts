import { startOmadaController, type OmadaController } from '../../simulators/omada/controller.js';
import type { SimulatedOmadaOptions } from '../../simulators/omada/settings.js';
import type { Controller, ControllerDeps, ControllerSpec } from '../../src/controllers/controller.js';
import { makeOmada } from '../../src/controllers/omada/omada.js';
import { nodeSystem } from '../../src/lib/system.js';
import type { TestController } from '../conformance/controller.js';
import { sharedCertificate } from './certificate.js';
import { someControllerDeps } from './controllerDeps.js';

/** An Omada controller, and the adapter to it as the service makes it. */
export interface TestOmada {
  readonly omada: OmadaController;
  readonly spec: ControllerSpec;
  readonly surroundings: ControllerDeps;
  connect(values?: Partial<ControllerSpec & ControllerDeps>): Controller;
  /** Time passes. */
  later(ms: number): void;
}

export const startTestOmada = async (options: SimulatedOmadaOptions = {}): Promise<TestOmada> => {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const omada = await startOmadaController({
    certificate: await sharedCertificate(),
    clock: now,
    ...options,
  });
  const { url, fingerprint, clientId, clientSecret } = omada;
  const spec = {
    id: 1,
    name: 'Zentrale',
    kind: 'omada',
    settings: { url, fingerprint },
    credentials: { clientId, clientSecret },
  };
  const surroundings = someControllerDeps({ system: { ...nodeSystem, now }, deadlineMs: 60_000 });
  return {
    omada,
    spec,
    surroundings,
    connect: (values) => makeOmada({ ...spec, ...surroundings, ...values }),
    later: (ms) => {
      ahead += ms;
    },
  };
};

/** A controller of its own for each test of the conformance suite. */
export const omadaForConformance = async (options: SimulatedOmadaOptions = {}): Promise<TestController> => {
  const { omada, connect, later } = await startTestOmada(options);
  return {
    connect,
    use: async (code) => omada.use(code),
    later,
    fill: async () => {
      omada.seed(1, { amount: 1300 });
      omada.seed(200);
      return 1500;
    },
    remove: () => omada.stop(),
  };
};
