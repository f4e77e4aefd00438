import { makeAuth, type Auth } from '../auth/auth.js';
import { makeIdentityProvider, type IdentityProvider } from '../auth/identityProvider.js';
import { makeConnectionStore } from '../connections/connectionStore.js';
import { makeAccountMail, type AccountMail } from '../email/accountMail.js';
import { makeMailServer, type MailServer } from '../email/mailServer.js';
import type { Foundation } from './foundation.js';
import type { StartAppOptions } from './runningApp.js';

/** How people sign in, and what is sent to them about their accounts. */
export interface AccountServices {
  readonly auth: Auth;
  readonly identityProvider: IdentityProvider;
  readonly mailServer: MailServer;
  readonly accountMail: AccountMail;
}

type AccountServicesDeps = Pick<
  Foundation,
  'config' | 'database' | 'tables' | 'system' | 'log' | 'secrets' | 'rotationSafeWriter'
>;

/** Puts together what accounts need. */
export const makeAccountServices = (
  base: AccountServicesDeps,
  passwordCost: StartAppOptions['passwordCost'],
): AccountServices => {
  const { config, tables, secrets, system } = base;
  const { revisions } = tables;
  const connectionDeps = {
    table: tables.connections,
    secrets,
    writeSealed: base.rotationSafeWriter.replace,
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
  const accountMail = makeAccountMail({ ...base, outbox: tables.outbox, mail: mailServer.current });
  const auth = makeAuth({
    ...base,
    notify: accountMail.notify,
    keySource: config,
    singleSignOn: identityProvider.current,
    passwordCost,
  });
  return { auth, identityProvider, mailServer, accountMail };
};
