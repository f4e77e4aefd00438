import { makeConnectionStore } from '../connections/connectionStore.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import type { MakeSlips } from '../printing/printing.js';
import { makeWindowCounter } from '../rateLimit/windowCounter.js';
import { makeSmsOutbox, smsWindowMs, type SmsOutbox } from '../sms/smsOutbox.js';
import { makeSmsProvider, type SmsProvider } from '../sms/smsProvider.js';
import { makeSmsSender } from '../sms/smsSender.js';
import { makeTestSms, type TestSms } from '../sms/smsTest.js';
import { makeSmsWorker } from '../sms/smsWorker.js';
import type { SelectWithSites } from '../vouchers/selection.js';
import { deliveryIntervalMs } from '../webhooks/notifications.js';
import type { Foundation } from './foundation.js';
import type { VoucherServices } from './voucherServices.js';

interface SmsServicesDeps extends Foundation, Pick<VoucherServices, 'guard'> {
  readonly makeSlips: MakeSlips;
  readonly select: SelectWithSites;
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
  const { tables, system, log, secrets, guard, select } = deps;
  const { replace: writeSealed } = deps.rotationSafeWriter;
  const sender = makeSmsSender(guard);
  const smsProvider = makeSmsProvider({
    environment: deps.config.sms,
    store: makeConnectionStore('sms', { table: tables.connections, secrets, writeSealed }),
    revisions: tables.revisions,
    guard,
    clock: system,
  });
  const provider = smsProvider.current;
  const worker = makeSmsWorker({ ...deps, provider, sender });
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
