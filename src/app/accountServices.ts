import { makeAuth, type Auth } from '../auth/auth.js';
import { makeIdentityProvider, type IdentityProvider } from '../auth/identityProvider.js';
import type { Config } from '../config/config.js';
import { makeConnectionStore } from '../connections/connectionStore.js';
import type { Database } from '../database/database.js';
import { makeAccountMail, type AccountMail } from '../email/accountMail.js';
import { makeMailServer, type MailServer } from '../email/mailServer.js';
import type { System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import { makeRotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { Secrets } from '../secrets/encryption.js';
import type { StartAppOptions } from './runningApp.js';
import type { Tables } from './tables.js';

/** How people sign in, and what is sent to them about their accounts. */
export interface AccountServices {
  readonly auth: Auth;
  readonly identityProvider: IdentityProvider;
  readonly mailServer: MailServer;
  readonly accountMail: AccountMail;
}

interface AccountServicesDeps {
  readonly config: Config;
  readonly database: Database;
  readonly tables: Tables;
  readonly system: System;
  readonly log: Log;
  secrets(): Secrets;
  readonly passwordCost: StartAppOptions['passwordCost'] | undefined;
}

/** Puts together what accounts need. */
export const makeAccountServices = (deps: AccountServicesDeps): AccountServices => {
  const { config, database, tables, system, log, secrets, passwordCost } = deps;
  const { revisions } = tables;
  const connectionDeps = {
    table: tables.connections,
    secrets,
    writeSealed: makeRotationSafeWriter(config, tables.sealed, system).replace,
  };
  const identityProvider = makeIdentityProvider({
    environment: config.singleSignOn,
    store: makeConnectionStore('single-sign-on', connectionDeps),
    revisions,
    clock: system,
  });
  const mailServer = makeMailServer({
    environment: config.mail,
    store: makeConnectionStore('mail', connectionDeps),
    revisions,
    clock: system,
  });
  const accountMail = makeAccountMail({
    table: tables.accountEmails,
    mail: mailServer.current,
    system,
    log,
  });
  const auth = makeAuth({
    database,
    notify: accountMail.notify,
    tables,
    system,
    log,
    keySource: config,
    singleSignOn: identityProvider.current,
    passwordCost,
  });
  return { auth, identityProvider, mailServer, accountMail };
};
