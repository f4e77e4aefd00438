import type { Controller, ControllerInfo, ProbeStep } from '../controllers/controller.js';
import { checkController } from '../controllers/registry.js';
import { publicText } from '../problem.js';
import type { StoredController } from '../storage/controllers.js';
import { commandLine } from './commandLine.js';
import { explain, type Explained } from './controllerAdvice.js';
import { addressOf, controllerNamed, trustOf } from './controllerNamed.js';
import { tryVoucher, VoucherLeft } from './controllerTryVoucher.js';
import { findingLine, noteLine } from './finding.js';
import { CommandError, plain, type Io } from './io.js';
import { withControllers } from './liveControllers.js';
import { siteCommand } from './siteCommand.js';
import { withStorage, type Opened } from './withStorage.js';

export interface TestOptions {
  create?: boolean;
  json?: boolean;
}

interface Step {
  readonly step: string;
  readonly state: 'ok' | 'failed' | 'not tried';
  readonly says: string;
  readonly advice?: string;
}

/** What the test found out, as far as it came. */
interface Found {
  readonly steps: Step[];
  info?: ControllerInfo;
}

const marks = { ok: 'ok', failed: 'FAIL', 'not tried': 'skip' } as const;

/** A probe's steps, in their order, and what they are called here. */
const probeSteps: readonly (readonly [ProbeStep, string])[] = [
  ['connected', 'connection'],
  ['signed-in', 'sign-in'],
  ['version', 'version'],
  ['sites', 'sites'],
];

export const testController = (io: Io, given: string, options: TestOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const stored = await controllerNamed(opened.storage, given);
    const { name } = stored;
    const found: Found = { steps: [] };
    const tell = (step: Step): void => {
      found.steps.push(step);
      if (!options.json) io.out(findingLine(marks[step.state], step.step, step.says, step.advice));
    };
    const offer = (sites: ControllerInfo['sites']): void => {
      if (!options.json) for (const site of sites) io.out(noteLine(siteCommand(name, site)));
    };
    const failure = await walk({ opened, stored, create: options.create === true, found, tell, offer });
    if (options.json) {
      const { info, steps } = found;
      const sites = info?.sites.map((site) => ({ ...site, command: siteCommand(name, site) }));
      const result = { name, ok: !failure, version: info?.version, sites, steps };
      io.out(`${JSON.stringify(result, null, 2)}\n`);
    }
    if (failure) throw new CommandError(`${name}: ${failure.step} failed: ${failure.says}`);
  });

interface Walk {
  readonly opened: Opened;
  readonly stored: StoredController;
  readonly create: boolean;
  readonly found: Found;
  tell(step: Step): void;
  /** Shows how the controller's sites are added. */
  offer(sites: ControllerInfo['sites']): void;
}

/** Goes step by step, and returns the one that failed. */
const walk = async ({ opened, stored, create, found, tell, offer }: Walk): Promise<Step | undefined> => {
  const { config, storage } = opened;
  let step = 'settings';
  const ok = (says: string): void => tell({ step, state: 'ok', says });
  try {
    await withControllers(config, async (registry) => {
      checkController(stored);
      const controller = registry.get(stored);
      ok(stored.sealedCredentials === null ? 'valid' : 'valid, and its credentials open');
      found.info = await probe(controller, stored, (next) => (step = next), ok);
      const { version, sites } = found.info;
      step = 'version';
      ok(plain(version));
      step = 'sites';
      ok(sites.length === 0 ? 'none that this account sees' : `${String(sites.length)}, to be added with:`);
      offer(sites);
      step = 'vouchers';
      if (create) ok(await tryVoucher(controller, await placeOf(storage, stored, sites), config));
      else tell({ step, state: 'not tried', says: '--create makes one and revokes it at once' });
    });
    return undefined;
  } catch (error) {
    const failed: Step = { step, state: 'failed', ...explained(error, stored.name) };
    tell(failed);
    return failed;
  }
};

/** The steps of a probe, each told when it is done. What they found comes with its end. */
const probe = (
  controller: Controller,
  stored: StoredController,
  begin: (step: string) => void,
  ok: (says: string) => void,
): Promise<ControllerInfo> => {
  const says: Partial<Record<ProbeStep, string>> = {
    connected: connectedTo(stored),
    'signed-in': 'accepted',
  };
  const beginAt = (index: number): void => {
    const step = probeSteps[index];
    if (step) begin(step[1]);
  };
  beginAt(0);
  return controller.probe((done) => {
    const said = says[done];
    if (said !== undefined) ok(said);
    beginAt(probeSteps.findIndex(([step]) => step === done) + 1);
  });
};

const connectedTo = (stored: StoredController): string => {
  const address = addressOf(stored);
  if (address === undefined) return 'in this process';
  const trust = { system: 'by the system', pinned: 'because it is pinned', 'own CA': 'by its own CA' };
  return `${address}, whose certificate is trusted ${trust[trustOf(stored)]}`;
};

/** Where a voucher is tried: where the first site of it has its vouchers, or else on the first one it has. */
const placeOf = async (
  storage: Opened['storage'],
  { id }: StoredController,
  offered: ControllerInfo['sites'],
): Promise<string | null> => {
  const tied = (await storage.sites.all()).find(({ controllerId }) => controllerId === id);
  return tied ? tied.controllerSite : (offered[0]?.id ?? null);
};

const explained = (error: unknown, name: string): Explained =>
  error instanceof VoucherLeft
    ? { says: error.message, advice: error.advice }
    : (explain(error, name) ?? {
        says: plain(publicText(error)),
        advice: `${commandLine('doctor')} checks what is around it`,
      });
