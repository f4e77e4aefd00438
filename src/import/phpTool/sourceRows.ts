import { CodedError, type ErrorKind } from '../../errors/codedError.js';

/** A row as text, as the database or a dump shows it. */
export type SourceRow = Readonly<Record<string, string | null>>;

/**
 * The tables that are read, each with the columns that count. Every table and every column may be missing.
 */
export const sourceTables = {
  settings: ['setting_key', 'setting_value'],
  sites: [
    ...['id', 'name', 'site_id', 'unifi_controller_url', 'unifi_username', 'unifi_password'],
    ...['is_active', 'public_access', 'created_at'],
  ],
  users: [
    ...['id', 'email', 'name', 'password_hash', 'is_admin', 'is_active'],
    ...['totp_secret', 'totp_enabled', 'last_login', 'created_at'],
  ],
  user_site_access: ['user_id', 'site_id'],
  voucher_templates: [
    ...['id', 'name', 'max_uses', 'expire_minutes', 'is_active'],
    ...['qos_rate_max_down', 'qos_rate_max_up', 'qos_usage_quota'],
  ],
  api_keys: [
    ...['id', 'name', 'key_prefix', 'key_hash', 'scope', 'rate_limit', 'is_active'],
    ...['last_used_at', 'created_at'],
  ],
  vouchers: [
    ...['id', 'site_id', 'user_id', 'voucher_code', 'voucher_name', 'max_uses', 'expire_minutes'],
    ...['created_at', 'unifi_voucher_id', 'status', 'used_count', 'expires_at', 'synced_from_unifi'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SourceTable = keyof typeof sourceTables;

export const isSourceTable = (name: string): name is SourceTable => Object.hasOwn(sourceTables, name);

/** Where the seconds since 1970 of a time stand, if the database has told them. */
export const secondsColumn = (column: string): string => `${column}#seconds`;

/** What was read of the tool's database. */
export interface SourceRows {
  readonly tables: ReadonlyMap<SourceTable, readonly SourceRow[]>;
  /** The zone of all times in it. */
  readonly shownIn: 'UTC' | 'server zone';
  /**
   * Does it end before the line that its program writes
   * last? It may have been cut off between two statements.
   */
  readonly isCutOff?: boolean;
}

/** What is missing in the source and may be there in the tool: one sentence each. */
export const noteGaps = ({ tables, isCutOff }: SourceRows): string[] => {
  const absent = Object.keys(sourceTables).filter((name) => isSourceTable(name) && !tables.has(name));
  return [
    ...(isCutOff
      ? ['the dump does not end with "-- Dump completed": it was probably cut off, so make it again']
      : []),
    ...(absent.length > 0
      ? [
          `the source has no tables for these, as in early versions of the tool or when a dump is not complete: ${absent.join(', ')}`,
        ]
      : []),
  ];
};

/** What can't be imported as it is. Nothing was written. The message is one line for people. */
export class ImportError extends CodedError<ImportErrorCode> {
  override readonly name = 'ImportError';

  constructor(code: ImportErrorCode, message: string) {
    super(code, message, { kind: importErrorKinds[code] });
  }
}

type ImportErrorCode = keyof typeof importErrorKinds;

export const importErrorKinds = {
  'option-invalid': 'invalid',
  'source-invalid': 'invalid',
  'file-unreadable': 'invalid',
  'source-unreadable': 'unavailable',
  /** Ids or sites of the tool mean something else here. */
  'ids-taken': 'refused',
  'not-importable': 'refused',
} as const satisfies Readonly<Record<string, ErrorKind>>;
