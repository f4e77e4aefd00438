import { unknownClock, type Controller, type ControllerVoucher, type VoucherOrder } from '../controller.js';
import { ControllerError, deadlineError, withKnownOutcome } from '../errors.js';
import type { KeptLimits } from '../keptLimits.js';
import { makeRadiusCalls, type RadiusOptions } from './calls.js';
import { sendDisconnect, type OpenSession } from './disconnect.js';
import { makeRadiusProbe } from './probe.js';
import { addressOf, ensureVoucherTable } from './schema.js';
import { parseRadiusSettings } from './settings.js';
import { makeVoucherStatements } from './vouchers.js';

const pageSize = 500;

/**
 * FreeRADIUS with its standard schema on PostgreSQL, MySQL or MariaDB: a voucher is a user whose name and password are the code.
 * Digits only, because MySQL does not tell upper from lower case and PostgreSQL does.
 */
export const makeRadiusSql = (options: RadiusOptions): Controller => {
  const { name, system, log } = options;
  const settings = parseRadiusSettings(options.settings);
  const { dialect } = settings;
  const { run, transact, onIdle } = makeRadiusCalls(options, settings);
  const vouchers = makeVoucherStatements(name, dialect, system.now);

  let ready: Promise<void> | undefined;
  /** Our table is made when it is first needed; creating it ends a transaction, so it is made outside of any. */
  const isReady = (signal?: AbortSignal): Promise<void> =>
    (ready ??= run((connection) => ensureVoucherTable(connection, dialect), signal).catch(
      (error: unknown) => {
        ready = undefined;
        throw error;
      },
    ));

  const find = async (
    order: VoucherOrder,
    signal: AbortSignal | undefined,
  ): Promise<readonly ControllerVoucher[]> => {
    await isReady(signal);
    return run((connection) => vouchers.find(connection, order), signal);
  };

  /** The sessions of a voucher that are open, as far as the secret of their access point is known. */
  const openSessions = (code: string, signal?: AbortSignal): Promise<readonly OpenSession[]> =>
    run(
      (connection) =>
        connection.query<OpenSession>(
          `select a.username as "username", ${addressOf(dialect, 'a.nasipaddress')} as "nas",
             a.acctsessionid as "sessionId", ${addressOf(dialect, 'a.framedipaddress')} as "framedAddress",
             a.callingstationid as "callingStation", n.secret as "secret"
           from radacct a join nas n on n.nasname = ${addressOf(dialect, 'a.nasipaddress')}
           where a.username = ? and a.acctstoptime is null`.replaceAll('"', dialect === 'mysql' ? '`' : '"'),
          [code],
        ),
      signal,
    );

  const list = async function* (
    site: string | null,
    signal?: AbortSignal,
  ): AsyncGenerator<ControllerVoucher> {
    await withKnownOutcome(isReady(signal));
    for (let after = '', isFull = true; isFull;) {
      const last = after;
      const page = await run((connection) => vouchers.page(connection, site ?? '', last, pageSize), signal);
      yield* page;
      after = page.at(-1)?.code ?? after;
      isFull = page.length === pageSize;
    }
  };

  return {
    ownCodes: { alphabet: 'digits', length: 10 },
    keptLimits: keptLimitsOf(settings.hasRates),
    create: async (order, count, signal) => {
      if (signal?.aborted) throw deadlineError(name);
      const codes = order.codes ?? [];
      if (codes.length !== count) throw new Error('each voucher needs a code');
      await isReady(signal);
      return transact(async (connection) => {
        await vouchers.create(connection, order, codes);
        return vouchers.find(connection, order);
      }, signal);
    },
    find: (order, _count, signal) => find(order, signal),
    list,
    // Not called, as there is `find`.
    createdIn: (site, _ranges, signal) => list(site, signal),
    clock: unknownClock,
    revoke: async (site, code, signal) => {
      await isReady(signal);
      await withKnownOutcome(transact((connection) => vouchers.remove(connection, site ?? '', code), signal));
    },
    disconnect: async (_site, code, signal) => {
      const sessions = await openSessions(code, signal);
      const port = settings.disconnectPort;
      const answers = await Promise.all(
        sessions.map(async (session) => {
          const id = system.randomBytes(1).readUInt8();
          const said = await sendDisconnect(session, {
            port,
            id,
            signal: signal ?? new AbortController().signal,
          });
          log.info({ controller: name, nas: session.nas, said }, 'guest disconnected');
          return said;
        }),
      );
      if (answers.includes('silent')) throw new ControllerError(name, { kind: 'timeout' });
      if (answers.includes('nak'))
        throw new ControllerError(name, {
          kind: 'refused',
          reason: 'request',
          said: 'the access point did not end the session',
        });
    },
    probe: makeRadiusProbe({ name, settings, run }),
    close: onIdle,
  };
};

/** WISPr rates are in bit/s, and times in seconds: both have 32 bits, and some access points count with a sign. */
const keptLimitsOf = (hasRates: boolean): KeptLimits => ({
  time: { from: 1, to: 35_000_000, counts: 'first-use' },
  uses: { from: 1, to: 2_147_483_647, counts: 'devices' },
  rates: hasRates ? { from: 1, to: 2_147_483 } : null,
  volume: { from: 1, to: 2_147_483_647 },
});
