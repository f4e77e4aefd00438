import type { Actor } from '../../audit/audit.js';
import type { ApiKeyTable } from '../../apiKeys/apiKeyTable.js';
import type { ControllerAdministration } from '../../controllers/controllerAdministration.js';
import type { ControllerTable } from '../../controllers/controllerTable.js';
import type { Database } from '../../database/database.js';
import type { Clock } from '../../lib/system.js';
import type { ProfileTable } from '../../profiles/profileTable.js';
import type { Profiles } from '../../profiles/profiles.js';
import type { Secrets } from '../../secrets/encryption.js';
import type { RotationSafeWriter } from '../../secrets/rotationSafeWriter.js';
import type { SiteTable } from '../../sites/siteTable.js';
import type { UserTable } from '../../users/userTable.js';
import type { WebhookAdministration } from '../../webhooks/webhookAdministration.js';
import type { WebhookTable } from '../../webhooks/webhookTable.js';

/** What an import reads and writes with. */
export interface ImportDeps {
  readonly database: Database;
  readonly tables: {
    readonly controllers: ControllerTable;
    readonly sites: SiteTable;
    readonly apiKeys: ApiKeyTable;
    readonly users: UserTable;
    readonly profiles: ProfileTable;
    readonly webhooks: WebhookTable;
  };
  readonly controllers: ControllerAdministration;
  readonly profiles: Profiles;
  readonly webhooks: WebhookAdministration;
  readonly rotationSafeWriter: RotationSafeWriter;
  /** Called only where something is sealed already. */
  secrets(): Secrets;
  readonly clock: Clock;
  readonly actor: Actor;
  /** Writes nothing. */
  readonly dryRun: boolean;
  onProgress(what: string, done: number, all: number): void;
}

/** How many were added, or would be, and how many were there already. */
export interface ImportCount {
  readonly added: number;
  readonly present: number;
}

export const toImportCount = (added: number, all: number): ImportCount => ({ added, present: all - added });
