import { pino } from 'pino';
import { makeKeyAdministration, type KeyAdministration } from '../../../src/apiKeys/keyAdministration.js';
import { nodeSystem } from '../../../src/lib/system.js';
import {
  makeWebhookAdministration,
  type WebhookAdministration,
} from '../../../src/webhooks/webhookAdministration.js';
import { makeSsrfGuard } from '../../../src/ssrf/ssrfGuard.js';
import type { Actor } from '../../../src/audit/audit.js';
import { makeAuth, type Auth } from '../../../src/auth/auth.js';
import { makeReceiptPrinters, type ReceiptPrinters } from '../../../src/printing/receiptPrinters.js';
import { makeRotationSafeWriter } from '../../../src/secrets/rotationSafeWriter.js';
import { openStoredSecrets } from '../../../src/secrets/secretKey.js';
import {
  makeControllerAdministration,
  type ControllerAdministration,
} from '../../../src/controllers/controllerAdministration.js';
import { makeSites, type Sites } from '../../../src/sites/sites.js';
import type { Database } from '../../../src/database/database.js';
import type { Tables } from '../../../src/app/tables.js';
import { makeProofOfWork, type ProofOfWork } from '../../../src/guestPages/proofOfWork.js';
import { makeBrowserTokens } from '../../../src/secrets/browserTokens.js';
import { makeKiosks, type Kiosks } from '../../../src/kiosks/kiosks.js';
import { makeProfiles, type Profiles } from '../../../src/profiles/profiles.js';

/** What an administrator can do, by the service's own functions, on the database of a service of the run. */
export interface Administration {
  readonly database: Database;
  readonly tables: Tables;
  readonly auth: Auth;
  readonly keys: KeyAdministration;
  readonly sites: Sites;
  readonly profiles: Profiles;
  readonly kiosks: Kiosks;
  readonly proofOfWork: ProofOfWork;
  readonly printers: Pick<ReceiptPrinters, 'list' | 'add' | 'remove'>;
  readonly controllers: ControllerAdministration;
  readonly webhooks: WebhookAdministration;
}

declare module '../../../tools/contract/src/target/serviceTypes.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- what it is here
  interface ServiceAdministration extends Administration {}
}

/** Who did it, for the audit log. */
export const runActor: Actor = { kind: 'command line', name: 'contract run', address: null };

/** A hash says what it costs, so the service compares with these at once. */
const passwordCost = { ln: 1, r: 8, p: 1 };

export const makeAdministration = (database: Database, tables: Tables, dataDir: string): Administration => {
  const system = nodeSystem;
  const keySource = { secretKey: undefined, dataDir };
  const rotationSafeWriter = makeRotationSafeWriter(keySource, tables.sealed, system);
  const secrets = () => openStoredSecrets(keySource, system);
  return {
    database,
    tables,
    auth: makeAuth({
      database,
      tables,
      system,
      log: pino({ level: 'silent' }),
      keySource,
      passwordCost,
    }),
    keys: makeKeyAdministration(tables.apiKeys, system),
    sites: makeSites(tables, system, rotationSafeWriter),
    profiles: makeProfiles(tables.profiles, system),
    printers: makeReceiptPrinters({
      printers: tables.printers,
      select: () => Promise.reject(new Error('only the service prints')),
      makeSlips: () => Promise.reject(new Error('only the service prints')),
      send: () => Promise.reject(new Error('only the service prints')),
      clock: system,
    }),
    kiosks: makeKiosks({ tables, system }),
    proofOfWork: makeProofOfWork(
      makeBrowserTokens({ secrets, writeSealed: rotationSafeWriter.replace }),
      system,
    ),
    controllers: makeControllerAdministration({
      controllers: tables.controllers,
      sites: tables.sites,
      clock: system,
      rotationSafeWriter,
      secrets,
      mayMoveCredentials: true,
      deadlineMs: 1_000,
    }),
    webhooks: makeWebhookAdministration({
      webhooks: tables.webhooks,
      deliveries: tables.deliveries,
      system,
      guard: makeSsrfGuard(['127.0.0.0/8']),
      send: () => Promise.reject(new Error('only the service sends messages')),
      rotationSafeWriter,
      secrets,
    }),
  };
};
