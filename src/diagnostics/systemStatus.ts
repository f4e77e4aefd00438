import type { Config } from '../config/config.js';
import type { ControllerHealthSource } from '../controllers/health.js';
import type { IdentityProvider } from '../auth/identityProvider.js';
import type { SmsProvider } from '../sms/smsProvider.js';
import type { MailServer } from '../email/mailServer.js';
import type { System } from '../lib/system.js';
import type { Secrets } from '../secrets/encryption.js';
import type { Database } from '../database/database.js';
import type { Intent } from '../vouchers/intentTable.js';
import type { DiagnosedTables } from './tables.js';
import { recentFailureMs } from './attention.js';
import type { Finding } from './finding.js';
import { checkPermissions } from './filePermissions.js';
import { checkEmail, checkSingleSignOn, checkSms } from './connectionChecks.js';
import { checkClock, checkDisk } from './machineChecks.js';
import { checkIntents, checkKeysAndSites, checkWebhooks, intentLimitOf } from './recordChecks.js';
import { checkStoredSecrets } from './storedSecrets.js';
import { listRetentionTerms, type RetentionTerm } from '../retention/retentionTerms.js';

export interface OpenIntent {
  readonly site: string;
  readonly name: string;
  readonly createdAt: number;
  /** What will happen to it. */
  readonly outcome: 'in-progress' | 'being-settled' | 'waiting-for-controller' | 'overdue';
}

/** The state of the service. */
export interface SystemStatus {
  readonly startedAt: number;
  readonly database: Database['dialect'];
  readonly migrations: number;
  readonly openIntents: readonly OpenIntent[];
  /** In the last week. */
  readonly failedDeliveries: number;
  readonly retention: readonly RetentionTerm[];
  readonly findings: readonly Finding[];
}

export type GetSystemStatus = () => Promise<SystemStatus>;

interface SystemStatusDeps {
  readonly config: Config;
  readonly database: Pick<Database, 'dialect'>;
  readonly tables: DiagnosedTables;
  readonly health: ControllerHealthSource;
  readonly system: System;
  /** How many migrations were applied. */
  readonly migrations: number;
  readonly secrets: () => Secrets;
  readonly mailServer: Pick<MailServer, 'view'>;
  readonly smsProvider: Pick<SmsProvider, 'view'>;
  readonly identityProvider: Pick<IdentityProvider, 'view'>;
  /** How long one check may take. */
  readonly timeoutMs?: number;
}

const maxIntents = 100;
const checkTimeoutMs = 3000;

/** Checks what `voucherd doctor` checks, as far as it makes sense from inside. No check delays the others. */
export const makeGetSystemStatus = (deps: SystemStatusDeps): GetSystemStatus => {
  const { config, database, tables, health, system, migrations, secrets, mailServer } = deps;
  const { smsProvider, identityProvider } = deps;
  const { timeoutMs = checkTimeoutMs } = deps;
  const startedAt = system.now();
  const limitMs = intentLimitOf(config);

  const listOpenIntents = async (now: number): Promise<OpenIntent[]> => {
    const [intents, sites] = await Promise.all([tables.intents.oldest(maxIntents), tables.sites.all()]);
    return Promise.all(
      intents.map(async (intent) => {
        const site = sites.find(({ id }) => id === intent.siteId);
        const { state } = site ? await health.healthOf(site.controllerId) : { state: 'unknown' as const };
        return {
          site: site?.name ?? '',
          name: intent.name,
          createdAt: intent.createdAt,
          outcome: predictOutcome(intent, now, {
            isReachable: state !== 'open' && state !== 'failing',
            deadlineMs: config.controllerDeadlineMs,
            limitMs,
          }),
        };
      }),
    );
  };

  const checkControllers = async (): Promise<Finding[]> =>
    Promise.all(
      (await tables.controllers.all()).map(async ({ id, name }): Promise<Finding> => {
        const { state, lastError } = await health.healthOf(id);
        const found = { check: 'controller', subject: name } as const;
        if (state === 'ok')
          return { ...found, ok: true, message: { code: 'controller-answers', values: {} } };
        if (state === 'unknown')
          return { ...found, ok: true, message: { code: 'controller-not-asked', values: {} } };
        return {
          ...found,
          ok: false,
          message: lastError
            ? { code: 'controller-failing', values: { controllerProblem: lastError } }
            : { code: 'controller-silent', values: {} },
          remedy: { code: 'controller', values: {} },
        };
      }),
    );

  const checkSmsProvider = async (now: number): Promise<Finding> =>
    checkSms(await smsProvider.view(), await tables.outbox.failedSince('sms', now - recentFailureMs));

  return async () => {
    const now = system.now();
    const context = { tables, now };
    const bounded = <T>(check: Finding['check'], work: Promise<T>): Promise<T | Finding> =>
      orFinding(check, work, timeoutMs);
    const [intents, failed, ...checked] = await Promise.all([
      bounded('intents', listOpenIntents(now)),
      bounded('webhooks', tables.outbox.failedSince('webhook', now - recentFailureMs)),
      bounded('disk', checkDisk(config)),
      Promise.resolve(checkClock(system)),
      bounded('email', mailServer.view().then(checkEmail)),
      bounded('sms', checkSmsProvider(now)),
      bounded(
        'single-sign-on',
        identityProvider.view().then((view) => checkSingleSignOn(view)),
      ),
      bounded('keys', checkKeysAndSites(context)),
      bounded('intents', checkIntents(context, limitMs)),
      bounded('secrets', checkStoredSecrets(tables, secrets)),
      bounded('controller', checkControllers()),
      bounded('webhooks', checkWebhooks(context)),
      bounded('permissions', checkPermissions(config)),
    ]);
    return {
      startedAt,
      database: database.dialect,
      migrations,
      openIntents: Array.isArray(intents) ? intents : [],
      failedDeliveries: 'count' in failed ? failed.count : 0,
      retention: listRetentionTerms(config),
      findings: checked.flat(),
    };
  };
};

/** What a check found, or that it did not end in time or failed. */
const orFinding = async <T>(
  check: Finding['check'],
  work: Promise<T>,
  timeoutMs: number,
): Promise<T | Finding> => {
  const failure: Finding = {
    check,
    ok: false,
    message: { code: 'not-checked', values: {} },
    remedy: { code: 'not-checked', values: {} },
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(failure), timeoutMs);
  });
  try {
    return await Promise.race([work.catch(() => failure), timeout]);
  } finally {
    clearTimeout(timer);
  }
};

const predictOutcome = (
  { createdAt, ended }: Pick<Intent, 'createdAt' | 'ended'>,
  now: number,
  {
    isReachable,
    deadlineMs,
    limitMs,
  }: { readonly isReachable: boolean; readonly deadlineMs: number; readonly limitMs: number },
): OpenIntent['outcome'] => {
  const ageMs = now - createdAt;
  if (!ended && ageMs <= deadlineMs) return 'in-progress';
  if (!isReachable) return 'waiting-for-controller';
  return ageMs <= limitMs ? 'being-settled' : 'overdue';
};
