import type { Config } from '../config/config.js';
import { makeConnectionStore } from '../connections/connectionStore.js';
import type { Database } from '../database/database.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import type { System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { MakeSlips } from '../printing/printing.js';
import { makeWindowCounter } from '../rateLimit/windowCounter.js';
import type { Secrets } from '../secrets/encryption.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { makeSmsOutbox, smsWindowMs, type SmsOutbox } from '../sms/smsOutbox.js';
import { makeSmsProvider, type SmsProvider } from '../sms/smsProvider.js';
import { makeSmsSender } from '../sms/smsSender.js';
import { makeTestSms, type TestSms } from '../sms/smsTest.js';
import { makeSmsWorker } from '../sms/smsWorker.js';
import type { SsrfGuard } from '../ssrf/ssrfGuard.js';
import type { SelectWithSites } from '../vouchers/selection.js';
import { deliveryIntervalMs } from '../webhooks/notifications.js';
import type { Tables } from './tables.js';

interface SmsServicesDeps {
  readonly database: Database;
  readonly tables: Tables;
  readonly system: System;
  readonly log: Log;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
  readonly guard: SsrfGuard;
  readonly makeSlips: MakeSlips;
  readonly metrics: Metrics;
  readonly select: SelectWithSites;
  readonly config: Pick<Config, 'sms'>;
  secrets(): Secrets;
  readonly writeSealed: RotationSafeWriter['replace'];
}

/** What takes SMS, and what sends them. */
interface SmsServices {
  readonly provider: SmsProvider;
  readonly outbox: SmsOutbox;
  readonly test: TestSms;
  readonly job: IntervalJob;
  /** Ends what is being sent. */
  stop(): void;
}

export const makeSmsServices = (deps: SmsServicesDeps): SmsServices => {
  const { tables, system, log, owner, metrics, makeSlips, select } = deps;
  const sender = makeSmsSender(deps.guard);
  const { secrets, writeSealed } = deps;
  const smsProvider = makeSmsProvider({
    environment: deps.config.sms,
    store: makeConnectionStore('sms', { table: tables.connections, secrets, writeSealed }),
    revisions: tables.revisions,
    guard: deps.guard,
    clock: system,
  });
  const provider = smsProvider.current;
  const worker = makeSmsWorker({ tables, makeSlips, provider, sender, system, log, owner, metrics });
  const job = makeIntervalJob('SMS', worker.runPass, deliveryIntervalMs, log);
  const counter = makeWindowCounter(deps.database, system, smsWindowMs);
  return {
    provider: smsProvider,
    outbox: makeSmsOutbox({ sms: tables.sms, select, clock: system, provider, counter, wake: job.wake }),
    test: makeTestSms(sender, counter),
    job,
    stop: worker.stop,
  };
};
