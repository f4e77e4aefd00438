import type { Command } from 'commander';
import { pino } from 'pino';
import { systemEffects } from '../effects.js';
import { publicText } from '../problem.js';
import { makeSiteDirectory, type TiedController } from '../sites/directory.js';
import type { Storage } from '../storage/storage.js';
import { makePass, type PassResult } from '../vouchers/syncing.js';
import { commandLine } from './commandLine.js';
import { explain } from './controllerAdvice.js';
import { controllerNamed } from './controllerNamed.js';
import { findingLine } from './finding.js';
import { CommandError, counted, plain, type Io } from './io.js';
import { withControllers } from './liveControllers.js';
import { quoted } from './shellWord.js';
import { withStorage } from './withStorage.js';

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
      const controllers = name === undefined ? all : await only(all, storage, name);
      const effects = { ...systemEffects, now: () => clock.now() };
      const pass = makePass({ storage, effects, log: silent, metrics: uncounted });
      const synced = await Promise.all(
        controllers.map(async (controller) => {
          const result = await pass(controller, new AbortController().signal);
          const described = describe(controller.name, result);
          if (!json) print(io, described);
          return described;
        }),
      );
      if (json) io.out(`${JSON.stringify(synced, null, 2)}\n`);
      else if (synced.length === 0)
        io.err(`nothing to compare: ${commandLine('site add --name N --controller C')}\n`);
      const failed = synced.filter(({ ok }) => !ok).length;
      if (failed > 0)
        throw new CommandError(`${String(failed)} of ${counted(synced.length, 'controller')} not synced`);
    }),
  );

const silent = pino({ level: 'silent' });
const uncounted = { synced: () => undefined, syncPass: () => undefined };

const only = async (
  all: readonly TiedController[],
  storage: Storage,
  name: string,
): Promise<TiedController[]> => {
  const stored = await controllerNamed(storage, name);
  const found = all.filter(({ id }) => id === stored.id);
  if (found.length > 0) return found;
  throw new CommandError(
    `${stored.name} has no site, so no vouchers: ${commandLine(`site add --name N --controller ${quoted(stored.name)}`)}`,
  );
};

interface Described {
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

const describe = (name: string, { changed, gone, failures }: PassResult): Described => ({
  controller: name,
  ok: failures.length === 0,
  changed,
  gone,
  failures: failures.map(({ error, places }) => ({
    controllerSites: places,
    ...(explain(error, name) ?? {
      says: plain(publicText(error)),
      advice: commandLine(`controller test ${quoted(name)}`),
    }),
  })),
});

const print = (io: Io, { controller, ok, changed, gone, failures }: Described): void => {
  const corrected = `${counted(changed, 'voucher')} changed, ${String(gone)} gone`;
  if (ok || changed + gone > 0) io.out(findingLine('ok', controller, corrected));
  for (const { says, advice } of failures) io.out(findingLine('FAIL', controller, says, advice));
};
