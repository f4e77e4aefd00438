import type { Command } from 'commander';
import { publicText } from '../../lib/publicText.js';
import type { StoredSite } from '../../sites/siteTable.js';
import type { Tables } from '../../app/tables.js';
import type { FoundVoucher } from '../../vouchers/search/codeSearch.js';
import { recordedStateAt, type RecordedState } from '../../vouchers/state.js';
import { formatCode } from '../../vouchers/record.js';
import type { RevokeVoucher } from '../../vouchers/revocation.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { explainControllerError, type Explanation } from '../controller/remedies.js';
import {
  CommandError,
  counted,
  formatCheckLine,
  formatTime,
  formatTimestamp,
  parseWholeNumber,
  printList,
  type Io,
} from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findSite } from '../lookup.js';
import { commandLineActor, makeSilentLog, withControllers, withTables } from '../openTables.js';

/** Adds the commands that list and revoke vouchers. */
export const addVoucherCommands = (voucher: Command, io: Io): void => {
  voucher
    .command('list')
    .description('List the recorded vouchers of a site, the newest first')
    .argument('<site>', 'id of the site, as `site list` shows it')
    .option('--status <status>', 'only those that are: valid, used or expired')
    .option('--name <text>', 'only those whose name contains this')
    .option('--limit <number>', 'how many, 1 to 10000', '50')
    .option('--json', 'print JSON')
    .action((site: string, options: ListVouchersOptions) => listRecordedVouchers(io, site, options));
  voucher
    .command('revoke')
    .description('Delete vouchers on their controllers; in the records they are then expired')
    .argument('<code...>', 'codes, with or without the dash')
    .option('--site <id>', 'the site, when several have a voucher with such a code')
    .option('--json', 'print JSON')
    .action((codes: string[], options: RevokeVouchersOptions) => revokeVouchers(io, codes, options));
};

interface ListVouchersOptions {
  status?: string;
  name?: string;
  limit: string;
  json?: boolean;
}

const statuses: readonly RecordedState[] = ['valid', 'used', 'expired'];

const listRecordedVouchers = (io: Io, given: string, options: ListVouchersOptions): Promise<void> =>
  withTables(io, async ({ tables, clock }) => {
    const limit = parseWholeNumber('--limit', options.limit, 1, 10_000);
    const status = parseRecordedState(options.status);
    const site = await findSite(tables, given);
    const now = clock.now();
    const found = await tables.voucherSearch.newest(
      site.id,
      { status, nameContains: options.name },
      now,
      limit,
    );
    printList(
      io,
      options.json,
      found.map((voucher) => ({
        code: voucher.code,
        formattedCode: formatCode(voucher.code, voucher.codeBlock),
        name: voucher.name,
        status: recordedStateAt(voucher, now),
        usedCount: voucher.usedCount,
        maxUses: voucher.maxUses,
        expireMinutes: voucher.expireMinutes,
        createdAt: formatTimestamp(voucher.createdAt),
        expiresAt: formatTimestamp(voucher.expiresAt),
      })),
      (voucher) => ({
        code: sanitizeLine(voucher.formattedCode),
        name: sanitizeLine(voucher.name),
        status: voucher.status,
        uses: `${String(voucher.usedCount)} of ${String(voucher.maxUses)}`,
        minutes: String(voucher.expireMinutes),
        created: formatTime(voucher.createdAt),
        expires: formatTime(voucher.expiresAt),
      }),
      'no such vouchers',
    );
  });

const parseRecordedState = (given: string | undefined): RecordedState | undefined => {
  if (given === undefined) return undefined;
  const status = statuses.find((known) => known === given);
  if (status) return status;
  throw new CommandError(
    'option-invalid',
    `--status: "${given}" is not allowed: one of ${statuses.join(', ')}`,
  );
};

interface RevokeVouchersOptions {
  site?: string;
  json?: boolean;
}

interface RevokeOutcome {
  /** As the user wrote it. */
  readonly code: string;
  readonly outcome: 'revoked' | 'expired already' | 'not found' | 'failed';
  readonly site?: number;
  readonly message: string;
  readonly remedy?: string;
}

const revokeVouchers = (io: Io, codes: readonly string[], options: RevokeVouchersOptions): Promise<void> =>
  withTables(io, ({ config, tables, clock }) =>
    withControllers(config, async (registry) => {
      const site = options.site === undefined ? undefined : await findSite(tables, options.site, '--site');
      const deadlineMs = config.controllerDeadlineMs;
      const { makeSiteDirectory } = await import('../../controllers/siteDirectory.js');
      const { makeRevokeVoucher } = await import('../../vouchers/revocation.js');
      const sites = makeSiteDirectory(tables, registry);
      const revokeVoucher = makeRevokeVoucher({
        tables,
        sites,
        clock,
        deadlineMs,
        log: await makeSilentLog(),
      });
      const revoke = makeRevoke({ tables, revokeVoucher, now: clock.now() }, site);
      const outcomes: RevokeOutcome[] = [];
      // One at a time: a console throttles many calls at once.
      for (const code of codes) {
        const outcome = await revoke(code);
        outcomes.push(outcome);
        if (!options.json)
          io.out(
            formatCheckLine(
              isDone(outcome) ? 'ok' : 'FAIL',
              sanitizeLine(code),
              outcome.message,
              outcome.remedy,
            ),
          );
      }
      if (options.json) io.out(`${JSON.stringify(outcomes, null, 2)}\n`);
      const left = outcomes.filter((outcome) => !isDone(outcome)).length;
      if (left > 0)
        throw new CommandError(
          'not-revoked',
          `${String(left)} of ${counted(codes.length, 'voucher')} not revoked`,
        );
    }),
  );

const isDone = ({ outcome }: RevokeOutcome): boolean =>
  outcome === 'revoked' || outcome === 'expired already';

interface RevokeDeps {
  readonly tables: Tables;
  readonly revokeVoucher: RevokeVoucher;
  readonly now: number;
}

const makeRevoke =
  (deps: RevokeDeps, site: StoredSite | undefined) =>
  async (code: string): Promise<RevokeOutcome> => {
    const found = (await findVouchersByCode(deps.tables, code)).filter(
      ({ siteId }) => site === undefined || siteId === site.id,
    );
    const [newest] = found;
    if (!newest) {
      const where = site ? ` for site ${String(site.id)}` : '';
      const remedy = `${formatCommandLine('voucher list SITE')} shows those of a site`;
      return { code, outcome: 'not found', message: `no voucher with this code is recorded${where}`, remedy };
    }
    const [usable, ...others] = found.filter((voucher) => recordedStateAt(voucher, deps.now) !== 'expired');
    if (!usable)
      return {
        code,
        outcome: 'expired already',
        site: newest.siteId,
        message: 'has expired already: nothing to do',
      };
    if (others.length > 0) {
      const sites = [usable, ...others].map(({ siteId }) => String(siteId)).join(', ');
      return {
        code,
        outcome: 'failed',
        message: `several sites have it: ${sites}`,
        remedy: 'say which with --site ID',
      };
    }
    return { code, site: usable.siteId, ...(await revokeOne(deps, usable)) };
  };

/** Codes are shown with a dash, and stored without. */
const findVouchersByCode = async ({ voucherSearch }: Tables, given: string): Promise<FoundVoucher[]> => {
  const found = await voucherSearch.byCode(given.trim());
  return found.length > 0 ? found : voucherSearch.byCode(given.replaceAll(/[\s-]/g, ''));
};

const revokeOne = async (
  { tables, revokeVoucher }: RevokeDeps,
  voucher: FoundVoucher,
): Promise<Pick<RevokeOutcome, 'outcome' | 'message' | 'remedy'>> => {
  const { name = '' } = (await tables.controllers.all()).find(({ id }) => id === voucher.controllerId) ?? {};
  try {
    const outcome = await revokeVoucher(voucher, commandLineActor);
    if (outcome === 'controller-removed')
      return {
        outcome: 'failed',
        message: 'its controller was removed, so it can no longer be asked',
        remedy: `delete the voucher ${formatCode(voucher.code, voucher.codeBlock)} on the controller itself`,
      };
    const message =
      outcome === 'gone' ? `was gone from ${toQuotedWord(name)} already` : `revoked on ${toQuotedWord(name)}`;
    return { outcome: 'revoked', message };
  } catch (error) {
    return { outcome: 'failed', ...explainRevokeFailure(error, name) };
  }
};

const explainRevokeFailure = (error: unknown, name: string): Explanation => {
  const { message, remedy } = explainControllerError(error, name) ?? {
    message: sanitizeLine(publicText(error)),
    remedy: formatCommandLine(`controller test ${toQuotedWord(name)}`),
  };
  return { message: `nothing is changed: ${toQuotedWord(name)}: ${message}`, remedy };
};
