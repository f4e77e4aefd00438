import type { Config } from '../config.js';
import type { ControllerRegistry } from '../controllers/registry.js';
import { publicText } from '../problem.js';
import type { StoredSite } from '../storage/sites.js';
import type { Storage } from '../storage/storage.js';
import type { FoundVoucher } from '../storage/voucherSearch.js';
import { formatCode } from '../vouchers/code.js';
import { statusAt } from '../vouchers/listing.js';
import { commandLine } from './commandLine.js';
import { explain, type Explained } from './controllerAdvice.js';
import { findingLine } from './finding.js';
import { CommandError, counted, plain, type Io } from './io.js';
import { withControllers } from './liveControllers.js';
import { quoted } from './shellWord.js';
import { siteWithId } from './siteWithId.js';
import { withStorage } from './withStorage.js';

export interface RevokeOptions {
  site?: string;
  json?: boolean;
}

interface Outcome {
  /** As it was given. */
  readonly code: string;
  readonly outcome: 'revoked' | 'expired already' | 'not found' | 'failed';
  readonly site?: number;
  readonly says: string;
  readonly advice?: string;
}

export const revokeVouchers = (io: Io, codes: readonly string[], options: RevokeOptions): Promise<void> =>
  withStorage(io, ({ config, storage, clock }) =>
    withControllers(config, async (registry) => {
      const site = options.site === undefined ? undefined : await siteWithId(storage, options.site, '--site');
      const revoke = makeRevoke({ config, storage, registry, now: clock.now() }, site);
      const outcomes: Outcome[] = [];
      // One after the other: a console that is asked for much at once throttles.
      for (const code of codes) {
        const outcome = await revoke(code);
        outcomes.push(outcome);
        if (!options.json)
          io.out(findingLine(isDone(outcome) ? 'ok' : 'FAIL', plain(code), outcome.says, outcome.advice));
      }
      if (options.json) io.out(`${JSON.stringify(outcomes, null, 2)}\n`);
      const left = outcomes.filter((outcome) => !isDone(outcome)).length;
      if (left > 0)
        throw new CommandError(`${String(left)} of ${counted(codes.length, 'voucher')} not revoked`);
    }),
  );

const isDone = ({ outcome }: Outcome): boolean => outcome === 'revoked' || outcome === 'expired already';

interface Around {
  readonly config: Config;
  readonly storage: Storage;
  readonly registry: ControllerRegistry;
  readonly now: number;
}

const makeRevoke =
  (around: Around, site: StoredSite | undefined) =>
  async (code: string): Promise<Outcome> => {
    const found = (await vouchersWith(around.storage, code)).filter(
      ({ siteId }) => site === undefined || siteId === site.id,
    );
    const [newest] = found;
    if (!newest) {
      const where = site ? ` for site ${String(site.id)}` : '';
      const advice = `${commandLine('voucher list SITE')} shows those of a site`;
      return { code, outcome: 'not found', says: `no voucher with this code is recorded${where}`, advice };
    }
    const [standing, ...others] = found.filter((voucher) => statusAt(voucher, around.now) !== 'expired');
    if (!standing)
      return {
        code,
        outcome: 'expired already',
        site: newest.siteId,
        says: 'has expired already: nothing to do',
      };
    if (others.length > 0) {
      const sites = [standing, ...others].map(({ siteId }) => String(siteId)).join(', ');
      return {
        code,
        outcome: 'failed',
        says: `several sites have it: ${sites}`,
        advice: 'say which with --site ID',
      };
    }
    return { code, site: standing.siteId, ...(await revokeOne(around, standing)) };
  };

/** Codes are shown with a dash, and stored without. */
const vouchersWith = async ({ voucherSearch }: Storage, given: string): Promise<FoundVoucher[]> => {
  const found = await voucherSearch.byCode(given.trim());
  return found.length > 0 ? found : voucherSearch.byCode(given.replaceAll(/[\s-]/g, ''));
};

/** First on the controller: should that fail, the records still say that the voucher can be used. */
const revokeOne = async (
  { config, storage, registry }: Around,
  voucher: FoundVoucher,
): Promise<Pick<Outcome, 'outcome' | 'says' | 'advice'>> => {
  const stored = (await storage.controllers.all()).find(({ id }) => id === voucher.controllerId);
  const site = (await storage.sites.all()).find(({ id }) => id === voucher.siteId);
  if (!stored || !site)
    return {
      outcome: 'failed',
      says: 'its controller was removed, so it can not be asked any more',
      advice: `delete the voucher ${formatCode(voucher.code)} on the controller itself`,
    };
  try {
    const controller = registry.get(stored);
    const id =
      voucher.controllerVoucherId ?? (await idOf(controller.list(site.controllerSite), voucher.code));
    if (id !== undefined) {
      const signal = AbortSignal.timeout(config.controllerDeadlineMs);
      await controller.revoke(site.controllerSite, id, signal);
    }
    const { id: recorded, siteId, usedCount, expiresAt } = voucher;
    await storage.vouchers.correct([{ id: recorded, siteId, usedCount, expiresAt, status: 'expired' }]);
    const says =
      id === undefined ? `was gone from ${quoted(stored.name)} already` : `revoked on ${quoted(stored.name)}`;
    return { outcome: 'revoked', says };
  } catch (error) {
    return { outcome: 'failed', ...explained(error, stored.name) };
  }
};

/** Of a voucher that was recorded without the controller's id, the code tells which it is. */
const idOf = async (
  list: AsyncIterable<{ readonly id: string | null; readonly code: string | undefined }>,
  code: string,
): Promise<string | undefined> => {
  for await (const voucher of list) if (voucher.code === code && voucher.id !== null) return voucher.id;
  return undefined;
};

const explained = (error: unknown, name: string): Explained => {
  const { says, advice } = explain(error, name) ?? {
    says: plain(publicText(error)),
    advice: commandLine(`controller test ${quoted(name)}`),
  };
  return { says: `nothing is changed: ${quoted(name)}: ${says}`, advice };
};
