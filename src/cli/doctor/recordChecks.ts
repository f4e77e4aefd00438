import type { Config } from '../../config/config.js';
import { publicText } from '../../lib/publicText.js';
import { makeConnectionStore } from '../../connections/connectionStore.js';
import { makeMailServer } from '../../email/mailServer.js';
import { checkEmail } from '../../diagnostics/machineChecks.js';
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

/** Checks the mail server, and the stored keys, sites, orders, secrets, controllers and webhooks. */
export const checkRecords = async (config: Config, tables: Tables, clock: Clock): Promise<CheckResult[]> => {
  const context = { tables, now: clock.now() };
  const mailServer = makeMailServer({
    environment: config.mail,
    store: makeConnectionStore('mail', {
      table: tables.connections,
      secrets: () => openStoredSecrets(config),
      writeSealed: makeRotationSafeWriter(config, tables.sealed, nodeSystem).replace,
    }),
    revisions: tables.revisions,
    clock,
  });
  const before = [
    checkEmail(await mailServer.view()),
    ...(await checkKeysAndSites(context)),
    await checkIntents(context, intentLimitOf(config)),
    await checkStoredSecrets(tables, () => openStoredSecrets(config), config),
  ];
  return [
    ...before.map(toCheckResult),
    ...(await checkControllers(config, tables)),
    ...(await checkWebhooks(context)).map(toCheckResult),
  ];
};

const nextSteps = new Set<string>(['keys-none', 'sites-none']);

/** A finding in English, as one line. */
export const toCheckResult = ({ check, subject, ok, message, remedy }: Finding): CheckResult => ({
  check: subject === undefined ? check : `${check} ${subject}`,
  // Without a key or a site nothing is wrong: it was not set up yet.
  ...(nextSteps.has(message.code) ? { ok: true, level: 'todo' as const } : { ok }),
  message: sanitizeLine(wordIn('en', 'finding', message)),
  ...(remedy && { remedy: wordIn('en', 'findingRemedy', remedy) }),
});

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
