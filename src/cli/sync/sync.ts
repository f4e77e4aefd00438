import type { Command } from 'commander';
import { publicText } from '../../lib/publicText.js';
import { nodeSystem } from '../../lib/system.js';
import type { ControllerWithSites } from '../../controllers/siteDirectory.js';
import type { Tables } from '../../app/tables.js';
import type { SyncPassResult } from '../../vouchers/sync/syncNow.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { explainControllerError } from '../controller/remedies.js';
import { CommandError, counted, formatCheckLine, type Io } from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findController } from '../lookup.js';
import { makeSilentLog, withControllers, withTables } from '../openTables.js';

/** Adds the options of `sync`, which compares records with controllers now. */
export const addSyncCommand = (sync: Command, io: Io): void => {
  sync
    .argument('[controller]', 'only this one, as `controller list` shows it')
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: { json?: boolean }) => syncNow(io, name, options.json));
};

/**
 * Runs a pass without a lease, even while a service runs one: both write what the controller says, so they do
 * not conflict.
 */
const syncNow = (io: Io, name: string | undefined, json: boolean | undefined): Promise<void> =>
  withTables(io, ({ config, tables, clock }) =>
    withControllers(config, async (registry) => {
      const { makeSiteDirectory } = await import('../../controllers/siteDirectory.js');
      const { makeSyncPass } = await import('../../vouchers/sync/voucherSync.js');
      const all = await makeSiteDirectory(tables, registry).controllers();
      const controllers = name === undefined ? all : await selectController(all, tables, name);
      const system = { ...nodeSystem, now: () => clock.now() };
      const pass = makeSyncPass({ tables, system, log: await makeSilentLog(), metrics: noMetrics });
      const synced = await Promise.all(
        controllers.map(async (controller) => {
          const result = await pass(controller, new AbortController().signal);
          const report = toSyncReport(controller.name, result);
          if (!json) printSyncReport(io, report, controller);
          return report;
        }),
      );
      if (json) io.out(`${JSON.stringify(synced, null, 2)}\n`);
      else if (synced.length === 0)
        io.err(`nothing to compare: ${formatCommandLine('site add --name N --controller C')}\n`);
      const failed = synced.filter(({ ok }) => !ok).length;
      if (failed > 0)
        throw new CommandError(
          'not-synced',
          `${String(failed)} of ${counted(synced.length, 'controller')} not synced`,
        );
    }),
  );

const noMetrics = { synced: () => undefined, syncPass: () => undefined };

const selectController = async (
  all: readonly ControllerWithSites[],
  tables: Tables,
  name: string,
): Promise<ControllerWithSites[]> => {
  const stored = await findController(tables, name);
  const found = all.filter(({ id }) => id === stored.id);
  if (found.length > 0) return found;
  throw new CommandError(
    'not-applicable',
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
    readonly message: string;
    readonly remedy: string;
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
      message: sanitizeLine(publicText(error)),
      remedy: formatCommandLine(`controller test ${toQuotedWord(name)}`),
    }),
  })),
});

const printSyncReport = (
  io: Io,
  { controller, ok, changed, gone, failures }: SyncReport,
  { controllerSites: all }: ControllerWithSites,
): void => {
  const corrected = `${counted(changed, 'voucher')} changed, ${String(gone)} gone`;
  if (ok || changed + gone > 0) io.out(formatCheckLine('ok', controller, corrected));
  for (const { controllerSites, message, remedy } of failures) {
    const failed = all.filter(({ id }) => controllerSites.includes(id));
    io.out(formatCheckLine('FAIL', controller, `${nameSites(failed)}: ${message}`, remedy));
  }
};

const maxNamed = 5;

/** The sites that a failure concerns: `site 3 Café (cafe)`. */
const nameSites = (controllerSites: ControllerWithSites['controllerSites']): string => {
  const names = controllerSites.flatMap(({ id, sites }) =>
    sites.map((site) => `${String(site.id)} ${site.name}${id === null ? '' : ` (${id})`}`),
  );
  const rest = names.length - maxNamed;
  return `${names.length === 1 ? 'site' : 'sites'} ${names.slice(0, maxNamed).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
};
