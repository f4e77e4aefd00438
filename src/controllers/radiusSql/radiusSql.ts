import { unknownClock, type Controller, type ControllerVoucher } from '../controller.js';
import { waitOrAbort } from '../deadline.js';
import { deadlineError, withKnownOutcome } from '../errors.js';
import { assertLimitsKept, type KeptLimits } from '../keptLimits.js';
import { makeRadiusCalls, type RadiusOptions } from './calls.js';
import { makeRadiusProbe } from './probe.js';
import { ensureVoucherTable } from './schema.js';
import { makeEndSessions } from './sessions.js';
import { parseRadiusSettings } from './settings.js';
import { TableMissing } from './sqlFailure.js';
import { makeVoucherStatements } from './vouchers.js';

const pageSize = 500;

/**
 * FreeRADIUS with its standard schema on PostgreSQL, MySQL or MariaDB: a voucher is a user whose name and
 * password are the code. Digits only, because MySQL does not tell upper from lower case and PostgreSQL does.
 */
export const makeRadiusSql = (options: RadiusOptions): Controller => {
  const { name, system, log, deadlineMs } = options;
  const settings = parseRadiusSettings(options.settings);
  const { dialect } = settings;
  const keptLimits = keptLimitsOf(settings.hasRates);
  const calls = makeRadiusCalls(options, settings);
  const { run, transact } = calls;
  const vouchers = makeVoucherStatements(name, dialect);
  const endSessions = makeEndSessions({ name, settings, system, log, run, deadlineMs });

  let ready: Promise<void> | undefined;
  /**
   * Our table is made when it is first needed; creating it ends a transaction, so it is made outside of any.
   */
  const isReady = (signal: AbortSignal | undefined): Promise<void> => {
    if (!ready) {
      const made = run((connection) => ensureVoucherTable(connection, dialect));
      ready = made;
      made.catch(() => {
        if (ready === made) ready = undefined;
      });
    }
    return waitOrAbort(ready, name, signal);
  };
  /** Repeats what fails because our table is not there any more, as after a restore. */
  const withTable = async <T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    await isReady(signal);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TableMissing)) throw error;
      ready = undefined;
      await isReady(signal);
      return work();
    }
  };

  const list = async function* (
    site: string | null,
    signal?: AbortSignal,
  ): AsyncGenerator<ControllerVoucher> {
    for (let after = '', isFull = true; isFull;) {
      const last = after;
      const read = () => run((connection) => vouchers.page(connection, site ?? '', last, pageSize), signal);
      const page = await withTable(read, signal);
      yield* page;
      after = page.at(-1)?.code ?? after;
      isFull = page.length === pageSize;
    }
  };

  return {
    ownCodes: { alphabet: 'digits', length: 10 },
    // The portal compares exactly what the guest types.
    codeBlock: 0,
    keptLimits,
    create: async (order, count, signal) => {
      if (signal?.aborted) throw deadlineError(name);
      assertLimitsKept({ keptLimits }, order);
      const codes = order.codes ?? [];
      if (codes.length !== count) throw new Error('each voucher needs a code');
      const make = () => transact((connection) => vouchers.create(connection, order, codes), signal);
      return withTable(make, signal);
    },
    find: (order, _count, signal) =>
      withTable(() => run((connection) => vouchers.find(connection, order), signal), signal),
    list,
    // Not called, as there is `find`.
    createdIn: (site, _ranges, signal) => list(site, signal),
    clock: unknownClock,
    revoke: (site, code, signal) => {
      const remove = () => transact((connection) => vouchers.remove(connection, site ?? '', code), signal);
      return withKnownOutcome(withTable(remove, signal));
    },
    disconnect: (_site, code, signal) => endSessions(code, signal),
    probe: makeRadiusProbe({ name, settings, run }),
    connectionState: calls.state,
    close: calls.close,
  };
};

/**
 * WISPr rates are in bit/s, and times in seconds: both have 32 bits,
 * and some access points count with a sign.
 */
const keptLimitsOf = (hasRates: boolean): KeptLimits => ({
  time: { from: 1, to: 35_000_000, counts: 'first-use' },
  uses: { from: 1, to: 2_147_483_647, counts: 'devices' },
  rates: hasRates ? { from: 1, to: 2_147_483 } : null,
  volume: { from: 1, to: 2_147_483_647 },
});
