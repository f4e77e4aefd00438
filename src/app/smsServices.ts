import { makeConnectionStore } from '../connections/connectionStore.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import { messageWindowMs, type FindSlip } from '../guestMessages/guestMessages.js';
import { makeOutboxWorker, outboxIntervalMs } from '../outbox/outboxWorker.js';
import { makeWindowCounter } from '../rateLimit/windowCounter.js';
import { makeSmsMessages, type SmsMessages } from '../sms/smsMessages.js';
import { makeSmsProvider, type SmsProvider } from '../sms/smsProvider.js';
import { makeSmsSender } from '../sms/smsSender.js';
import { makeTestSms, type TestSms } from '../sms/smsTest.js';
import { makeSmsTask } from '../sms/smsTask.js';
import type { SelectWithSites } from '../vouchers/selection.js';
import type { Foundation } from './foundation.js';
import type { VoucherServices } from './voucherServices.js';

interface SmsServicesDeps extends Foundation, Pick<VoucherServices, 'guard'> {
  readonly findSlip: FindSlip;
  readonly select: SelectWithSites;
}

/** What takes SMS, and what sends them. */
interface SmsServices {
  readonly provider: SmsProvider;
  readonly messages: SmsMessages;
  readonly test: TestSms;
  readonly job: IntervalJob;
  /** Ends what is being sent. */
  stop(): Promise<void>;
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
  const worker = makeOutboxWorker(makeSmsTask({ ...deps, provider, sender }), deps);
  const job = makeIntervalJob('SMS', worker.runPass, outboxIntervalMs, log);
  const counter = makeWindowCounter(deps.database, system, messageWindowMs);
  return {
    provider: smsProvider,
    messages: makeSmsMessages(provider, {
      table: tables.guestMessages,
      select,
      clock: system,
      counter,
      wake: job.wake,
    }),
    test: makeTestSms(sender, counter),
    job,
    stop: worker.stop,
  };
};
