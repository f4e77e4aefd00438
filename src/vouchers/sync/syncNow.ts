import type { ControllerWithSites } from '../../controllers/siteDirectory.js';
import { makeWithLease, type LeaseTable } from '../../database/leases.js';
import { Refusal } from '../../errors/problem.js';
import type { Clock } from '../../lib/system.js';
import type { Log } from '../../log/log.js';

/** What a pass has done. */
export interface SyncPassResult {
  readonly changed: number;
  readonly gone: number;
  /** Each error once, with the controller sites that could not be compared because of it. */
  readonly failures: readonly {
    readonly error: unknown;
    readonly controllerSites: readonly (string | null)[];
  }[];
}

/**
 * Compares the vouchers of a controller now, and returns what was done; undefined when that takes longer than
 * people wait: it goes on. Throws `Refusal` while another request does the same, in whichever process.
 */
export type SyncNow = (controllerId: number) => Promise<SyncPassResult | undefined>;

interface SyncNowDeps {
  readonly leases: LeaseTable;
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly findController: (id: number) => Promise<ControllerWithSites | undefined>;
  readonly runPass: (controller: ControllerWithSites) => Promise<SyncPassResult>;
}

/** How long somebody waits for the result. */
const waitMs = 20_000;
const leaseOptions = { leaseMs: 25_000, renewBelowMs: 15_000, renewIntervalMs: 5000 };

/**
 * Its lease is not that of the regular sync, which one process keeps for as long as it runs: a pass of both
 * at the same time does no harm, because both write what the controller says.
 */
export const makeSyncNow = (deps: SyncNowDeps): SyncNow => {
  const { leases, owner, clock, log, findController, runPass } = deps;
  const withLease = makeWithLease(leases, owner, clock);
  const running = new Set<number>();

  const run = async (controller: ControllerWithSites): Promise<SyncPassResult> => {
    if (running.has(controller.id)) throw isRunning();
    running.add(controller.id);
    try {
      const name = `sync-now:${String(controller.id)}`;
      const result = await withLease(name, leaseOptions, () => runPass(controller));
      if (!result) throw isRunning();
      return result;
    } finally {
      running.delete(controller.id);
    }
  };

  return async (controllerId) => {
    const controller = await findController(controllerId);
    if (!controller)
      throw new Refusal('unknown-controller', 'there is no such controller with a site', 'missing');
    const pass = run(controller);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), waitMs);
    });
    pass.catch((error: unknown) => log.debug({ err: error }, 'sync on request not done'));
    return Promise.race([pass, late]).finally(() => clearTimeout(timer));
  };
};

const isRunning = (): Refusal => new Refusal('sync-running', 'this controller is being compared already');
