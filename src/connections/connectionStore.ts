import type { AuditDraft } from '../audit/auditTable.js';
import { connectionBinding, SecretError, type Secrets } from '../secrets/encryption.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { CheckStored, ConnectionName, ConnectionTable, StoredConnection } from './connectionTable.js';

/** A connection whose secret belongs to one place, such as host and user of a mail server. */
export interface ConnectionStore {
  load(): Promise<StoredConnection | undefined>;
  /** The secret that is stored for a place; undefined when there is none, or the key does not open it. */
  openSecret(stored: StoredConnection | undefined, secretFor: string): string | undefined;
  /**
   * Saves settings with a new secret, with none (null), or with the stored one (undefined). Returns false,
   * and saves nothing, if the stored one is for another place: it is never sent anywhere else.
   * `check` throws if what is stored must not be replaced.
   */
  save(
    settings: StoredConnection['settings'],
    secretFor: string,
    secret: string | null | undefined,
    audit: AuditDraft,
    check?: CheckStored,
  ): Promise<boolean>;
  /** Returns false if nothing was stored. */
  remove(audit: AuditDraft): Promise<boolean>;
}

export interface ConnectionStoreDeps {
  readonly table: ConnectionTable;
  secrets(): Pick<Secrets, 'open'>;
  readonly writeSealed: RotationSafeWriter['replace'];
}

export const makeConnectionStore = (
  name: ConnectionName,
  { table, secrets, writeSealed }: ConnectionStoreDeps,
): ConnectionStore => ({
  load: () => table.find(name),
  openSecret: (stored, secretFor) => {
    if (!stored?.secret || stored.secret.secretFor !== secretFor) return undefined;
    try {
      return secrets().open(stored.secret.sealed, connectionBinding(name, secretFor));
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  },
  save: (settings, secretFor, secret, audit, check) => {
    if (secret === undefined) return table.save(name, settings, { keepFor: secretFor }, audit, check);
    if (secret === null) return table.save(name, settings, null, audit, check);
    return writeSealed(({ seal }) => {
      const sealed = seal(secret, connectionBinding(name, secretFor));
      return table.save(name, settings, { secretFor, sealed }, audit, check);
    });
  },
  remove: (audit) => table.remove(name, audit),
});
