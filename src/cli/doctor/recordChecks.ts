import type { Config } from '../../config.js';
import { publicText } from '../../lib/problem.js';
import type { Clock } from '../../lib/system.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import type { Finding } from '../../diagnostics/finding.js';
import { checkIntents, checkKeysAndSites, checkWebhooks, intentLimitOf } from '../../diagnostics/recordChecks.js';
import { checkStoredSecrets } from '../../diagnostics/storedSecrets.js';
import type { Storage } from '../../app/tables.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { explainControllerError } from '../controller/advice.js';
import { type CheckResult } from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { withControllers } from '../openStorage.js';

/** Checks the stored keys, sites, orders, secrets, controllers and webhooks. */
export const checkRecords = async (
  config: Config,
  storage: Storage,
  clock: Clock,
): Promise<CheckResult[]> => {
  const context = { storage, now: clock.now() };
  const before = [
    ...(await checkKeysAndSites(context)),
    await checkIntents(context, intentLimitOf(config)),
    await checkStoredSecrets(storage, () => openStoredSecrets(config), config),
  ];
  return [
    ...before.map(toCheckResult),
    ...(await checkControllers(config, storage)),
    ...(await checkWebhooks(context)).map(toCheckResult),
  ];
};

/** A finding in English, as one line. */
export const toCheckResult = ({ check, subject, ok, says, advice }: Finding): CheckResult => ({
  check: subject === undefined ? check : `${check} ${subject}`,
  ok,
  says: sanitizeLine(says.en),
  ...(advice && { advice: advice.en }),
});

const checkControllers = (config: Config, storage: Storage): Promise<CheckResult[]> =>
  withControllers(config, async (registry) =>
    Promise.all(
      (await storage.controllers.all()).map(async (stored): Promise<CheckResult> => {
        const check = `controller ${stored.name}`;
        try {
          const { version } = await registry.get(stored).probe();
          return { check, ok: true, says: `answers, version ${sanitizeLine(version)}` };
        } catch (error) {
          return {
            check,
            ok: false,
            ...(explainControllerError(error, stored.name) ?? {
              says: publicText(error),
              advice: formatCommandLine(`controller test ${toQuotedWord(stored.name)}`),
            }),
          };
        }
      }),
    ),
  );
