import type { Command } from 'commander';
import { pino } from 'pino';
import { publicText } from '../../lib/problem.js';
import { nodeSystem } from '../../lib/system.js';
import { makeSiteDirectory, type ControllerWithSites } from '../../sites/siteDirectory.js';
import type { Storage } from '../../storage/storage.js';
import { makeSyncPass, type SyncPassResult } from '../../vouchers/sync/voucherSync.js';
import { formatCommandLine, toQuotedWord } from '../commandLine.js';
import { explainControllerError } from '../controller/advice.js';
import { CommandError, counted, formatCheckLine, sanitizeLine, type Io } from '../io.js';
import { findController } from '../lookup.js';
import { withControllers, withStorage } from '../resources.js';

export const addSyncCommand = (program: Command, io: Io): void => {
  program
    .command('sync')
    .description('Compare recorded vouchers with their controllers now, and say how many have changed')
    .argument('[controller]', 'only this one, as `controller list` shows it')
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: { json?: boolean }) => syncNow(io, name, options.json));
};

/**
 * A pass of its own, beside those of a running service, which keeps its leases: two passes write the same, which is what
 * the controller says.
 */
const syncNow = (io: Io, name: string | undefined, json: boolean | undefined): Promise<void> =>
  withStorage(io, ({ config, storage, clock }) =>
    withControllers(config, async (registry) => {
      const all = await makeSiteDirectory(storage, registry).controllers();
      const controllers = name === undefined ? all : await selectController(all, storage, name);
      const system = { ...nodeSystem, now: () => clock.now() };
      const pass = makeSyncPass({ storage, system, log: silentLog, metrics: noMetrics });
      const synced = await Promise.all(
        controllers.map(async (controller) => {
          const result = await pass(controller, new AbortController().signal);
          const described = toSyncReport(controller.name, result);
          if (!json) printSyncReport(io, described);
          return described;
        }),
      );
      if (json) io.out(`${JSON.stringify(synced, null, 2)}\n`);
      else if (synced.length === 0)
        io.err(`nothing to compare: ${formatCommandLine('site add --name N --controller C')}\n`);
      const failed = synced.filter(({ ok }) => !ok).length;
      if (failed > 0)
        throw new CommandError(`${String(failed)} of ${counted(synced.length, 'controller')} not synced`);
    }),
  );

const silentLog = pino({ level: 'silent' });
const noMetrics = { synced: () => undefined, syncPass: () => undefined };

const selectController = async (
  all: readonly ControllerWithSites[],
  storage: Storage,
  name: string,
): Promise<ControllerWithSites[]> => {
  const stored = await findController(storage, name);
  const found = all.filter(({ id }) => id === stored.id);
  if (found.length > 0) return found;
  throw new CommandError(
    `${stored.name} has no site, so no vouchers: ${formatCommandLine(`site add --name N --controller ${toQuotedWord(stored.name)}`)}`,
  );
};

interface SyncReport {
  readonly controller: string;
  readonly ok: boolean;
  readonly changed: number;
  readonly gone: number;
  readonly failures: readonly {
    readonly controllerSites: readonly (string | null)[];
    readonly says: string;
    readonly advice: string;
  }[];
}

const toSyncReport = (name: string, { changed, gone, failures }: SyncPassResult): SyncReport => ({
  controller: name,
  ok: failures.length === 0,
  changed,
  gone,
  failures: failures.map(({ error, controllerSites }) => ({
    controllerSites,
    ...(explainControllerError(error, name) ?? {
      says: sanitizeLine(publicText(error)),
      advice: formatCommandLine(`controller test ${toQuotedWord(name)}`),
    }),
  })),
});

const printSyncReport = (io: Io, { controller, ok, changed, gone, failures }: SyncReport): void => {
  const corrected = `${counted(changed, 'voucher')} changed, ${String(gone)} gone`;
  if (ok || changed + gone > 0) io.out(formatCheckLine('ok', controller, corrected));
  for (const { says, advice } of failures) io.out(formatCheckLine('FAIL', controller, says, advice));
};
