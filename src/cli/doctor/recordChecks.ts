import type { Config } from '../../config/config.js';
import { publicText } from '../../lib/publicText.js';
import { makeConnectionStore } from '../../connections/connectionStore.js';
import { makeMailServer } from '../../email/mailServer.js';
import { askMailServer } from '../../email/mailTest.js';
import { singleSignOnCallback } from '../../auth/cookies.js';
import { makeIdentityProvider } from '../../auth/identityProvider.js';
import { makeTestProvider } from '../../auth/providerTest.js';
import { recentFailureMs } from '../../diagnostics/attention.js';
import { checkEmail, checkSingleSignOn, checkSms } from '../../diagnostics/connectionChecks.js';
import { makeSmsProvider } from '../../sms/smsProvider.js';
import { makeSsrfGuard } from '../../ssrf/ssrfGuard.js';
import { nodeSystem, type Clock } from '../../lib/system.js';
import { makeRotationSafeWriter } from '../../secrets/rotationSafeWriter.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import type { Finding } from '../../diagnostics/finding.js';
import { wordIn } from '../../i18n/messages.js';
import {
  checkIntents,
  checkKeysAndSites,
  checkWebhooks,
  intentLimitOf,
} from '../../diagnostics/recordChecks.js';
import { checkStoredSecrets } from '../../diagnostics/storedSecrets.js';
import type { Tables } from '../../app/tables.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { explainControllerError } from '../controller/remedies.js';
import { type CheckResult } from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { withControllers } from '../openTables.js';

/**
 * Checks the mail server, the SMS provider, single sign-on, and the
 * stored keys, sites, orders, secrets, controllers and webhooks.
 */
export const checkRecords = async (config: Config, tables: Tables, clock: Clock): Promise<CheckResult[]> => {
  const context = { tables, now: clock.now() };
  const before = [
    ...(await checkConnections(config, tables, clock)),
    ...(await checkKeysAndSites(context)),
    await checkIntents(context, intentLimitOf(config)),
    await checkStoredSecrets(tables, () => openStoredSecrets(config)),
  ];
  return [
    ...before.map(toCheckResult),
    ...(await checkControllers(config, tables)),
    ...(await checkWebhooks(context)).map(toCheckResult),
  ];
};

/**
 * Checks the servers that the service itself uses. Mail server
 * and identity provider are asked; SMS would have to be sent.
 */
const checkConnections = async (config: Config, tables: Tables, clock: Clock): Promise<Finding[]> => {
  const storeDeps = {
    table: tables.connections,
    secrets: () => openStoredSecrets(config),
    writeSealed: makeRotationSafeWriter(config, tables.sealed, nodeSystem).replace,
  };
  const common = { revisions: tables.revisions, clock };
  const mailServer = makeMailServer({
    ...common,
    environment: config.mail,
    store: makeConnectionStore('mail', storeDeps),
  });
  const smsProvider = makeSmsProvider({
    ...common,
    environment: config.sms,
    store: makeConnectionStore('sms', storeDeps),
    guard: makeSsrfGuard(config.webhookAllowPrivate),
  });
  const identityProvider = makeIdentityProvider({
    ...common,
    environment: config.singleSignOn,
    store: makeConnectionStore('single-sign-on', storeDeps),
  });
  const askMail = async (): Promise<string | null> => {
    const server = await mailServer.current();
    return server ? askMailServer(server) : null;
  };
  const askProvider = async (): Promise<string | null> => {
    const provider = await identityProvider.current();
    if (!provider) return null;
    const callback = singleSignOnCallback({ publicUrl: config.publicUrl ?? 'http://localhost' });
    const steps = await makeTestProvider(nodeSystem)(provider, callback);
    const failed = steps.find(({ outcome }) => outcome === 'failed');
    return failed ? (failed.detail ?? failed.step) : null;
  };
  return [
    await checkEmail(await mailServer.view(), askMail),
    checkSms(await smsProvider.view(), await tables.outbox.failedSince('sms', clock.now() - recentFailureMs)),
    await checkSingleSignOn(await identityProvider.view(), askProvider),
  ];
};

/** A finding in English, as one line. */
export const toCheckResult = (finding: Finding): CheckResult => {
  const { check, subject, ok, isTodo = false, message } = finding;
  const remedy = finding.command ?? (finding.remedy && wordIn('en', 'findingRemedy', finding.remedy));
  return {
    check: subject === undefined ? check : `${check} ${subject}`,
    ...(isTodo ? { ok: true, level: 'todo' as const } : { ok }),
    message: sanitizeLine(wordIn('en', 'finding', message)),
    ...(remedy !== undefined && { remedy }),
  };
};

const checkControllers = (config: Config, tables: Tables): Promise<CheckResult[]> =>
  withControllers(config, async (registry) =>
    Promise.all(
      (await tables.controllers.all()).map(async (stored): Promise<CheckResult> => {
        const check = `controller ${stored.name}`;
        try {
          const { version } = await registry.get(stored).probe();
          return { check, ok: true, message: `answers, version ${sanitizeLine(version)}` };
        } catch (error) {
          return {
            check,
            ok: false,
            ...(explainControllerError(error, stored.name) ?? {
              message: publicText(error),
              remedy: formatCommandLine(`controller test ${toQuotedWord(stored.name)}`),
            }),
          };
        }
      }),
    ),
  );
