import { controllerAddressOf, controllerTrustOf } from '../../controllers/https/settings.js';
import type { Config } from '../../config.js';
import type { Controller, ControllerInfo, ProbeStep } from '../../controllers/controller.js';
import { awaitOutcome, makeDeadline } from '../../controllers/deadline.js';
import { ControllerError, OutcomeUnknown } from '../../controllers/errors.js';
import { checkControllerSettings } from '../../controllers/kinds.js';
import { publicText } from '../../lib/problem.js';
import { nodeSystem } from '../../lib/system.js';
import type { StoredController } from '../../storage/controllers.js';
import { buildStoredName } from '../../vouchers/record.js';
import { formatCommandLine } from '../commandLine.js';
import { CommandError, formatCheckLine, formatNoteLine, sanitizeLine, type Io } from '../io.js';
import { findController } from '../lookup.js';
import { withControllers, withStorage, type OpenedStorage } from '../openStorage.js';
import { formatSiteAddCommand } from '../site/site.js';
import { explainControllerError, type Explanation } from './advice.js';

export interface TestControllerOptions {
  create?: boolean;
  json?: boolean;
}

interface TestStep {
  readonly step: string;
  readonly state: 'ok' | 'failed' | 'not tried';
  readonly says: string;
  readonly advice?: string;
}

/** What the test has found so far. */
interface TestFindings {
  readonly steps: TestStep[];
  info?: ControllerInfo;
}

const marks = { ok: 'ok', failed: 'FAIL', 'not tried': 'skip' } as const;

/** The steps of a probe in order, with their names in the report. */
const probeSteps: readonly (readonly [ProbeStep, string])[] = [
  ['connected', 'connection'],
  ['signed-in', 'sign-in'],
  ['version', 'version'],
  ['sites', 'sites'],
];

/** Tests a controller step by step, and prints the commands that add its sites. */
export const runControllerTest = (io: Io, given: string, options: TestControllerOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const stored = await findController(opened.storage, given);
    const { name } = stored;
    const found: TestFindings = { steps: [] };
    const report = (step: TestStep): void => {
      found.steps.push(step);
      if (!options.json) io.out(formatCheckLine(marks[step.state], step.step, step.says, step.advice));
    };
    const showSites = (sites: ControllerInfo['sites']): void => {
      if (!options.json) for (const site of sites) io.out(formatNoteLine(formatSiteAddCommand(name, site)));
    };
    const failure = await runTestSteps({
      opened,
      stored,
      create: options.create === true,
      found,
      report,
      showSites,
    });
    if (options.json) {
      const { info, steps } = found;
      const sites = info?.sites.map((site) => ({ ...site, command: formatSiteAddCommand(name, site) }));
      const result = { name, ok: !failure, version: info?.version, sites, steps };
      io.out(`${JSON.stringify(result, null, 2)}\n`);
    }
    if (failure) throw new CommandError(`${name}: ${failure.step} failed: ${failure.says}`);
  });

interface TestRun {
  readonly opened: OpenedStorage;
  readonly stored: StoredController;
  readonly create: boolean;
  readonly found: TestFindings;
  report(step: TestStep): void;
  /** Prints the commands that add the controller's sites. */
  showSites(sites: ControllerInfo['sites']): void;
}

/** Runs the steps in order, and returns the one that failed. */
const runTestSteps = async ({
  opened,
  stored,
  create,
  found,
  report,
  showSites,
}: TestRun): Promise<TestStep | undefined> => {
  const { config, storage } = opened;
  let step = 'settings';
  const ok = (says: string): void => report({ step, state: 'ok', says });
  try {
    await withControllers(config, async (registry) => {
      checkControllerSettings(stored);
      const controller = registry.get(stored);
      ok(stored.sealedCredentials === null ? 'valid' : 'valid, and its credentials open');
      found.info = await probeController(controller, stored, (next) => (step = next), ok);
      const { version, sites } = found.info;
      step = 'version';
      ok(sanitizeLine(version));
      step = 'sites';
      ok(sites.length === 0 ? 'none that this account sees' : `${String(sites.length)}, to be added with:`);
      showSites(sites);
      step = 'vouchers';
      if (create)
        ok(
          await createAndRevokeVoucher(
            controller,
            await chooseControllerSite(storage, stored, sites),
            config,
          ),
        );
      else report({ step, state: 'not tried', says: '--create makes one and revokes it at once' });
    });
    return undefined;
  } catch (error) {
    const failed: TestStep = { step, state: 'failed', ...explainTestFailure(error, stored.name) };
    report(failed);
    return failed;
  }
};

/** Probes a controller and reports each step when it is done. */
const probeController = (
  controller: Controller,
  stored: StoredController,
  begin: (step: string) => void,
  ok: (says: string) => void,
): Promise<ControllerInfo> => {
  const says: Partial<Record<ProbeStep, string>> = {
    connected: describeConnection(stored),
    'signed-in': 'accepted',
  };
  const beginStep = (index: number): void => {
    const step = probeSteps[index];
    if (step) begin(step[1]);
  };
  beginStep(0);
  return controller.probe((done) => {
    const said = says[done];
    if (said !== undefined) ok(said);
    beginStep(probeSteps.findIndex(([step]) => step === done) + 1);
  });
};

const describeConnection = (stored: StoredController): string => {
  const address = controllerAddressOf(stored);
  if (address === undefined) return 'in this process';
  const trust = { system: 'by the system', pinned: 'because it is pinned', 'own CA': 'by its own CA' };
  return `${address}, whose certificate is trusted ${trust[controllerTrustOf(stored)]}`;
};

/** The controller site to create a voucher on: that of the first site that uses it, or else its first one. */
const chooseControllerSite = async (
  storage: OpenedStorage['storage'],
  { id }: StoredController,
  offered: ControllerInfo['sites'],
): Promise<string | null> => {
  const site = (await storage.sites.all()).find(({ controllerId }) => controllerId === id);
  return site ? site.controllerSite : (offered[0]?.id ?? null);
};

const explainTestFailure = (error: unknown, name: string): Explanation =>
  error instanceof LeftoverVoucher
    ? { says: error.message, advice: error.advice }
    : (explainControllerError(error, name) ?? {
        says: sanitizeLine(publicText(error)),
        advice: `${formatCommandLine('doctor')} checks what is around it`,
      });

/** A test voucher that was, or may have been, created and could not be revoked. */
class LeftoverVoucher extends Error {
  override readonly name = 'LeftoverVoucher';

  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

/** Creates one voucher, named like an order's, and revokes it at once. Returns what to report. */
const createAndRevokeVoucher = async (
  controller: Controller,
  controllerSite: string | null,
  { controllerDeadlineMs }: Config,
): Promise<string> => {
  const name = buildStoredName('voucherd controller test', nodeSystem.now());
  const order = { controllerSite, name, maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const leftover = (message: string): LeftoverVoucher =>
    new LeftoverVoucher(message, `look for the voucher "${name}" on the controller, and delete it there`);
  const siteText =
    controllerSite === null ? 'its only or default site' : `its site ${sanitizeLine(controllerSite)}`;
  const [made] = await runWithDeadline(controllerDeadlineMs, (signal) =>
    controller.create(order, 1, signal),
  ).catch((error: unknown) => {
    throw error instanceof OutcomeUnknown
      ? leftover('it was asked for a voucher, and whether it made one is not known')
      : error;
  });
  if (!made || made.id === null) throw leftover('it made a voucher, or may have, without saying which');
  const { id } = made;
  try {
    await runWithDeadline(controllerDeadlineMs, (signal) => controller.revoke(controllerSite, id, signal));
  } catch {
    throw leftover('it made a voucher, which could not be revoked');
  }
  if (made.code === undefined || made.code === '')
    throw new ControllerError(undefined, { trouble: 'unreadable', reason: 'no-code' });
  return `made one on ${siteText}, and revoked it`;
};

/** Aborts the call at the deadline. If the controller does not report the outcome then, it is unknown. */
const runWithDeadline = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, end } = makeDeadline(ms);
  try {
    return await awaitOutcome(work(signal), signal);
  } finally {
    end();
  }
};
