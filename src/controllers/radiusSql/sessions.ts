import { lookup } from 'node:dns/promises';
import type { ControllerDeps } from '../controller.js';
import { ensureDeadline } from '../deadline.js';
import { ControllerError } from '../errors.js';
import type { RadiusCalls } from './calls.js';
import { sendDisconnects, type DisconnectAnswer, type OpenSession } from './disconnect.js';
import { findSecrets, type NasRow } from './nas.js';
import { addressOf } from './schema.js';
import type { RadiusDialect, RadiusSettings } from './settings.js';

interface EndSessionsOptions extends Pick<ControllerDeps, 'system' | 'log'> {
  readonly name: string;
  readonly settings: Pick<RadiusSettings, 'dialect' | 'disconnectPort'>;
  readonly run: RadiusCalls['run'];
  readonly deadlineMs: number;
}

/** An open session, before the secret of its access point is known. */
type SessionRow = Omit<OpenSession, 'nas' | 'secret'> & { readonly nas: string | null };

/** Rows that nobody closed may be many; guests who are online have the newest. */
const maxSessions = 50;
const maxNas = 10_000;

export const openSessionsSql = (dialect: RadiusDialect): string =>
  `select a.username as "username", ${addressOf(dialect, 'a.nasipaddress')} as "nas",
     a.acctsessionid as "sessionId", ${addressOf(dialect, 'a.framedipaddress')} as "framedAddress",
     a.callingstationid as "callingStation"
   from radacct a where a.username = ? and a.acctstoptime is null
   order by a.acctstarttime desc limit ${String(maxSessions)}`.replaceAll(
    '"',
    dialect === 'mysql' ? '`' : '"',
  );

type Unended = Exclude<DisconnectAnswer, 'ack' | 'gone'> | 'unknown';

const reasons: Readonly<Record<Unended, string>> = {
  nak: 'refused',
  silent: 'no answer',
  unknown: 'its secret is not in the table nas',
};

/** Ends the open sessions of a voucher. Throws with those access points that did not end theirs. */
export const makeEndSessions = ({ name, settings, system, log, run, deadlineMs }: EndSessionsOptions) => {
  const read = (code: string, signal: AbortSignal) =>
    run(async (connection) => {
      const sessions = await connection.query<SessionRow>(openSessionsSql(settings.dialect), [code]);
      if (sessions.length === 0) return { sessions, nas: [] };
      const nas = await connection.query<NasRow>(`select nasname, secret from nas limit ${String(maxNas)}`);
      return { sessions, nas };
    }, signal);

  return async (code: string, outer?: AbortSignal): Promise<void> => {
    const { signal, end } = ensureDeadline(deadlineMs, outer);
    try {
      const { sessions, nas } = await read(code, signal);
      if (sessions.length === 0) return;
      const addresses = sessions.flatMap(({ nas: address }) => address ?? []);
      const secrets = await findSecrets(addresses, nas, lookupAll, signal);
      const known = sessions.flatMap((session) => {
        const secret = session.nas === null ? undefined : secrets.get(session.nas);
        return session.nas === null || secret === undefined ? [] : [{ ...session, nas: session.nas, secret }];
      });
      const answers = await sendDisconnects(known, {
        port: settings.disconnectPort,
        firstId: system.randomBytes(1).readUInt8(),
        signal,
      });
      const unended = new Map<string, Unended>();
      for (const { nas: address } of sessions)
        if (address === null || !secrets.has(address)) unended.set(address ?? 'unknown', 'unknown');
      for (const [index, { nas: address }] of known.entries()) {
        const said = answers[index] ?? 'silent';
        log.info({ controller: name, nas: address, said }, 'asked an access point to end a session');
        if (said === 'nak' || said === 'silent') unended.set(address, said);
      }
      if (unended.size === 0) return;
      const list = [...unended].map(([address, reason]) => `${address} (${reasons[reason]})`);
      throw new ControllerError(name, {
        kind: 'refused',
        reason: 'request',
        said: `the guest may still be online at: ${list.join(', ')}`,
      });
    } finally {
      end();
    }
  };
};

const lookupAll = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);
