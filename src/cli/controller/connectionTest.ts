import type { Config } from '../../config/config.js';
import type { Controller, ControllerAdvice } from '../../controllers/controller.js';
import { awaitOutcome, makeDeadline } from '../../controllers/deadline.js';
import { ControllerError, OutcomeUnknown } from '../../controllers/errors.js';
import { wordIn } from '../../i18n/messages.js';
import { publicText } from '../../lib/publicText.js';
import { newId, nodeSystem } from '../../lib/system.js';
import { drawCodes } from '../../controllers/codes.js';
import type { ControllerTestStep } from '../../controllers/controllerTests.js';
import type { StoredController } from '../../controllers/controllerTable.js';
import { buildStoredName } from '../../vouchers/record.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import { CommandError, formatCheckLine, formatNoteLine, type Io } from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findController } from '../lookup.js';
import { makeControllerDeps, withControllers, withTables, type OpenedTables } from '../openTables.js';
import { formatSiteAddCommand } from '../site/site.js';
import { explainControllerError, type Explanation } from './remedies.js';
import { CodedError } from '../../errors/codedError.js';

export interface TestControllerOptions {
  create?: boolean;
  json?: boolean;
}

/** The sites of a controller, each with the id of ours that was added for it. */
type OfferedSites = NonNullable<ControllerTestStep['sites']>;

/** What a test finds out of a controller. */
interface Found {
  version?: string;
  sites?: OfferedSites;
}

interface TestStep {
  readonly step: string;
  readonly state: 'ok' | 'failed' | 'not tried';
  readonly message: string;
  readonly remedy?: string;
}

const marks = { ok: 'ok', failed: 'FAIL', 'not tried': 'skip' } as const;

/** Tests a controller step by step, and prints the commands that add its sites. */
export const runControllerTest = (io: Io, given: string, options: TestControllerOptions): Promise<void> =>
  withTables(io, async (opened) => {
    const stored = await findController(opened.tables, given);
    const { name } = stored;
    const steps: TestStep[] = [];
    const found: string[] = [];
    const report = (step: TestStep): void => {
      steps.push(step);
      if (!options.json) io.out(formatCheckLine(marks[step.state], step.step, step.message, step.remedy));
    };
    const showSites = (sites: OfferedSites): void => {
      if (options.json) return;
      for (const site of sites)
        if (site.siteId === null) io.out(formatNoteLine(formatSiteAddCommand(name, site)));
    };
    const showAdvice = (advice: string): void => {
      found.push(advice);
      if (!options.json) io.out(`\n${advice}\n`);
    };
    const info = await testConnection(opened, stored, report, showSites, showAdvice);
    if (!steps.some(({ state }) => state === 'failed'))
      report(
        options.create
          ? await tryVoucher(opened, stored, info.sites)
          : { step: 'vouchers', state: 'not tried', message: '--create creates one and revokes it at once' },
      );
    const failure = steps.find(({ state }) => state === 'failed');
    if (options.json) {
      const sites = info.sites?.map((site) => ({
        ...site,
        ...(site.siteId === null && { command: formatSiteAddCommand(name, site) }),
      }));
      const result = {
        name,
        ok: !failure,
        version: info.version,
        sites,
        steps,
        ...(found.length > 0 && { advice: found }),
      };
      io.out(`${JSON.stringify(result, null, 2)}\n`);
    }
    if (failure)
      throw new CommandError('checks-failed', `${name}: ${failure.step} failed: ${failure.message}`);
  });

/** The test of the web UI, in the words of the command line. Steps that do not apply are left out. */
const testConnection = async (
  { config, tables }: OpenedTables,
  stored: StoredController,
  report: (step: TestStep) => void,
  showSites: (sites: OfferedSites) => void,
  showAdvice: (advice: string) => void,
): Promise<Found> => {
  const { makeControllerTests } = await import('../../controllers/controllerTests.js');
  const deps = await makeControllerDeps(config);
  const tests = makeControllerTests({ controllers: tables.controllers, sites: tables.sites, deps });
  const found: Found = {};
  const { done } = await tests.begin(
    { controllerId: stored.id },
    new AbortController().signal,
    (result, error) => {
      const { step, state, version } = result;
      const { sites } = result;
      if (version !== undefined) found.version = version;
      if (sites) found.sites = sites;
      if (state === 'failed') report({ step, state, ...explainTestFailure(error, stored.name) });
      if (state === 'ok') report({ step, state, message: describeStep(result, stored) });
      if (sites) showSites(sites);
      for (const advice of result.advice ?? []) showAdvice(wordAdvice(advice));
    },
  );
  await done;
  return found;
};

/** What to do, with the lines to copy below it. */
const wordAdvice = (advice: ControllerAdvice): string => {
  const text = wordIn('en', 'advice', advice);
  return advice.lines === undefined ? text : `${text}\n\n${advice.lines}`;
};

/** What a step that succeeded has found. */
const describeStep = (
  { step, finding, version, sites }: ControllerTestStep,
  { sealedCredentials }: StoredController,
): string => {
  if (step === 'settings') return sealedCredentials === null ? 'valid' : 'valid, and its credentials open';
  if (sites) return describeSites(sites);
  return sanitizeLine(version ?? (finding && wordIn('en', 'connectionTest', finding)) ?? 'accepted');
};

const describeSites = (sites: OfferedSites): string => {
  const count = String(sites.length);
  const added = sites.filter(({ siteId }) => siteId !== null).length;
  if (sites.length === 0) return 'none that this account sees';
  if (added === 0) return `${count}, to be added with:`;
  return added === sites.length
    ? `${count}, added already`
    : `${count}, of which ${String(added)} added already; the others with:`;
};

/** Creates a voucher and revokes it. */
const tryVoucher = async (
  { config, tables }: OpenedTables,
  stored: StoredController,
  offered: OfferedSites = [],
): Promise<TestStep> => {
  const step = 'vouchers';
  try {
    const message = await withControllers(config, async (registry) =>
      createAndRevokeVoucher(
        registry.get(stored),
        await chooseControllerSite(tables, stored, offered),
        config,
      ),
    );
    return { step, state: 'ok', message };
  } catch (error) {
    return { step, state: 'failed', ...explainTestFailure(error, stored.name) };
  }
};

/** The controller site to create a voucher on: that of the first site that uses it, or else its first one. */
const chooseControllerSite = async (
  tables: OpenedTables['tables'],
  { id }: StoredController,
  offered: OfferedSites,
): Promise<string | null> => {
  const site = (await tables.sites.all()).find(({ controllerId }) => controllerId === id);
  return site ? site.controllerSite : (offered[0]?.id ?? null);
};

const explainTestFailure = (error: unknown, name: string): Explanation =>
  error instanceof LeftoverVoucher
    ? { message: error.message, remedy: error.remedy }
    : (explainControllerError(error, name) ?? {
        message: sanitizeLine(publicText(error)),
        remedy: `${formatCommandLine('doctor')} checks everything else`,
      });

/** A test voucher that was, or may have been, created and could not be revoked. */
class LeftoverVoucher extends CodedError<'leftover-voucher'> {
  override readonly name = 'LeftoverVoucher';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super('leftover-voucher', message, { kind: 'failed' });
  }
}

/** Creates one voucher, named like an order's, and revokes it at once. Returns what to report. */
const createAndRevokeVoucher = async (
  controller: Controller,
  controllerSite: string | null,
  { controllerDeadlineMs }: Config,
): Promise<string> => {
  const name = buildStoredName('voucherd controller test', nodeSystem.now());
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const codes = controller.ownCodes && drawCodes(controller.ownCodes, 1, nodeSystem);
  const order = { controllerSite, name, reference: newId(nodeSystem), codes, ...limits };
  const leftover = (message: string): LeftoverVoucher =>
    new LeftoverVoucher(message, `look for the voucher "${name}" on the controller, and delete it there`);
  const siteText =
    controllerSite === null ? 'its only or default site' : `its site ${sanitizeLine(controllerSite)}`;
  const [created] = await runWithDeadline(controllerDeadlineMs, (signal) =>
    controller.create(order, 1, signal),
  ).catch((error: unknown) => {
    throw error instanceof OutcomeUnknown
      ? leftover('it was asked for a voucher, and it is not known whether it created one')
      : error;
  });
  if (!created || created.id === null)
    throw leftover('it created a voucher, or may have, without saying which');
  const { id } = created;
  try {
    await runWithDeadline(controllerDeadlineMs, (signal) => controller.revoke(controllerSite, id, signal));
  } catch {
    throw leftover('it created a voucher, which could not be revoked');
  }
  if (created.code === undefined || created.code === '')
    throw new ControllerError(undefined, { kind: 'unreadable', reason: 'no-code' });
  return `created one on ${siteText}, and revoked it`;
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
