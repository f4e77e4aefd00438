import { ControllerError, unreachableError } from '../errors.js';
import { errorCode } from '../../lib/errorCode.js';

const wrongCredentials = ['28P01', '28000', 'ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR'];
const noRights = [
  '42501',
  '25006',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
];
const missing: Readonly<Record<string, string>> = {
  '3D000': 'there is no such database',
  ER_BAD_DB_ERROR: 'there is no such database',
  '42P01': "a table of FreeRADIUS' schema is missing",
  ER_NO_SUCH_TABLE: "a table of FreeRADIUS' schema is missing",
  '42703': "a column of FreeRADIUS' schema is missing",
  ER_BAD_FIELD_ERROR: "a column of FreeRADIUS' schema is missing",
};

/** The database ends the connection, or was told to. */
const connectionEnded = /^(57P0|08|ER_(SERVER_SHUTDOWN|CONNECTION_KILLED|QUERY_INTERRUPTED|NET_)|PROTOCOL_)/;

/** An SQLSTATE, or a name of MySQL. System errors such as EPIPE and E2BIG look alike. */
const sqlCode = /^((?=.*\d)(?!E)[0-9A-Z]{5}|ER_.*)$/;

/** Is it an answer of the database, and not the loss of the connection? */
const isSqlAnswer = (code: string): boolean => sqlCode.test(code) && !connectionEnded.test(code);

/** A transaction that was taken back for another, and constraints that are looked at last. */
const rolledBack = /^(4000[012]|40P01|23.{3}|ER_LOCK_DEADLOCK)$/;

/**
 * Did a commit that failed with this certainly write nothing? Any other error may come after it was written.
 */
export const isRolledBack = (error: unknown): boolean => rolledBack.test(errorCode(error));

/** The connection can't be encrypted, or the certificate is not trusted. */
const tlsFailed =
  /^(HANDSHAKE_(NO_)?SSL_|ERR_TLS_|CERT_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY|DECODE)_)/;

const noSuchTable = ['42P01', 'ER_NO_SUCH_TABLE'];

export const isTableMissing = (error: unknown): boolean => noSuchTable.includes(errorCode(error));

/** A table was deleted, perhaps ours. */
export class TableMissing extends ControllerError {}

/** Why the database refused; only the code of its error is used, as the text may hold values. */
export const toRefusal = (name: string, error: unknown): ControllerError => {
  const code = errorCode(error);
  if (wrongCredentials.includes(code))
    return new ControllerError(name, { kind: 'credentials', of: 'account', seconds: 1 });
  if (noRights.includes(code)) return new ControllerError(name, { kind: 'permission', of: 'account' });
  if (isSqlAnswer(code))
    return new (isTableMissing(error) ? TableMissing : ControllerError)(name, {
      kind: 'refused',
      reason: 'request',
      said: missing[code] ?? `the database answered with the error ${code}`,
    });
  if (connectionEnded.test(code)) return new ControllerError(name, { kind: 'unreachable', reason: 'reset' });
  if (tlsFailed.test(code)) return new ControllerError(name, { kind: 'unreachable', reason: 'tls' });
  return unreachableError(name, error);
};
