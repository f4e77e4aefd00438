import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';

/**
 * A server that the service itself uses, and that
 * administrators set up in the web UI, such as the mail server.
 */
export type ConnectionName = 'mail' | 'single-sign-on' | 'sms';

/** A sealed secret, and what it is sent to: it opens for nothing else. */
export interface StoredSecret {
  readonly secretFor: string;
  readonly sealed: string;
}

/** What is stored of a connection. */
export interface StoredConnection {
  /** Not secret. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret: StoredSecret | null;
}

/** Looks at the settings that are about to be replaced. */
export type CheckStored = (settings: StoredConnection['settings'] | undefined) => void;

export interface ConnectionTable {
  find(name: ConnectionName): Promise<StoredConnection | undefined>;
  /**
   * Saves settings with a secret or without. With `keepFor` the stored secret stays; returns false, and saves
   * nothing, if that one is for something else. `check` throws if what is stored must not be replaced.
   */
  save(
    name: ConnectionName,
    settings: StoredConnection['settings'],
    secret: StoredSecret | null | { readonly keepFor: string },
    audit: AuditDraft,
    check?: CheckStored,
  ): Promise<boolean>;
  /** Returns false if nothing was stored. */
  remove(name: ConnectionName, audit: AuditDraft): Promise<boolean>;
}

interface ConnectionRow {
  readonly settings: string;
  readonly secret_for: string | null;
  readonly sealed_secret: string | null;
}

const parseSettings = ({ settings }: ConnectionRow): StoredConnection['settings'] =>
  JSON.parse(settings) as Record<string, unknown>;

/**
 * The table of connections. Each change raises the revision `settings`,
 * so all processes use it within a second.
 */
export const makeConnectionTable = ({ read, write }: Database): ConnectionTable => {
  const change = (audit: AuditDraft, work: (transaction: Knex) => Promise<boolean>): Promise<boolean> =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['settings']);
      const isDone = await work(transaction);
      if (isDone)
        await recordAudit(transaction, { ...audit, subjectKind: null, subjectId: null, subjectName: null });
      return isDone;
    });
  const findRow = (db: Knex, name: ConnectionName): Promise<ConnectionRow | undefined> =>
    db('connections')
      .where({ name })
      .first<ConnectionRow | undefined>('settings', 'secret_for', 'sealed_secret');
  return {
    find: async (name) => {
      const row = await findRow(read, name);
      if (!row) return undefined;
      const { secret_for: secretFor, sealed_secret: sealed } = row;
      return {
        settings: parseSettings(row),
        secret: secretFor === null || sealed === null ? null : { secretFor, sealed },
      };
    },
    save: (name, settings, secret, audit, check) =>
      change(audit, async (transaction) => {
        const row = await findRow(transaction, name);
        check?.(row && parseSettings(row));
        const isKept = secret !== null && 'keepFor' in secret;
        if (isKept && row && row.sealed_secret !== null && row.secret_for !== secret.keepFor) return false;
        const values = {
          settings: JSON.stringify(settings),
          ...(!isKept && { secret_for: secret?.secretFor ?? null, sealed_secret: secret?.sealed ?? null }),
        };
        if (row) await transaction('connections').where({ name }).update(values);
        else await transaction('connections').insert({ name, ...values });
        return true;
      }),
    remove: (name, audit) =>
      change(audit, async (transaction) => (await transaction('connections').where({ name }).delete()) > 0),
  };
};
