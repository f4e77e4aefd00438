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

/** Is it an answer of the database, and not the loss of the connection? */
export const isSqlAnswer = (error: unknown): boolean => {
  const code = errorCode(error);
  return /^(?!57P0|08)[0-9A-Z]{5}$/.test(code) || code.startsWith('ER_');
};

/** Why the database refused; only the code of its error is used, as the text may hold values. */
export const toRefusal = (name: string, error: unknown): ControllerError => {
  const code = errorCode(error);
  if (wrongCredentials.includes(code))
    return new ControllerError(name, { kind: 'credentials', of: 'account', seconds: 1 });
  if (noRights.includes(code)) return new ControllerError(name, { kind: 'permission', of: 'account' });
  if (isSqlAnswer(error))
    return new ControllerError(name, {
      kind: 'refused',
      reason: 'request',
      said: missing[code] ?? `the database answered with the error ${code}`,
    });
  return unreachableError(name, error);
};
