import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { draftAudit } from '../../../src/audit/audit.js';
import { makeTables } from '../../../src/app/tables.js';
import { openPatiently } from '../../support/databases.js';
import { addSite, someRecord, someTime } from '../../support/records.js';
import { until } from '../../support/until.js';
import type { Shared } from './sharedDatabase.js';

/** The outboxes of vouchers that are sent to guests, by SMS and by e-mail. */
export const guestMessageConformance = (shared: () => Shared): void => {
  const actor = { kind: 'user', name: 'Anna', address: null } as const;

  const addVoucher = async (): Promise<number> => {
    const { tables } = shared();
    const record = someRecord(await addSite(tables));
    await tables.vouchers.record(record);
    const [voucher] = await tables.vouchers.ofIntent(record.intentId);
    return voucher!.id;
  };

  /** Calls with the tables of two processes in turn, all at the same time. */
  const fromTwoProcesses = async <T>(
    count: number,
    call: (tables: Shared['tables']) => Promise<T>,
  ): Promise<T[]> => {
    const other = openPatiently(shared().url);
    try {
      const tables = [shared().tables, makeTables(other)];
      return await Promise.all(Array.from({ length: count }, (_, index) => call(tables[index % 2]!)));
    } finally {
      await other.close();
    }
  };

  const someSms = (voucherId: number) => ({
    ...{ id: randomUUID(), voucherId, userId: 1, to: '+491711234567', language: 'de' },
  });
  const smsAudit = draftAudit(actor, 'voucher.sms', someTime);

  test('SMS that several processes add at the same time do not exceed the cap of a day', async () => {
    const voucherId = await addVoucher();
    const before = await shared().database.read('outbox').where('kind', 'sms');
    const caps = { perVoucher: 100, perDay: before.length + 3 };
    const outcomes = await fromTwoProcesses(20, ({ guestMessages }) =>
      guestMessages.add('sms', someSms(voucherId), caps, smsAudit),
    );
    expect(outcomes.filter((outcome) => outcome === 'perDay')).toHaveLength(17);
    expect(await shared().tables.guestMessages.ofVoucher('sms', voucherId, 100)).toHaveLength(3);
  });

  test('SMS that several processes add at the same time do not exceed the cap of a voucher', async () => {
    const voucherId = await addVoucher();
    const caps = { perVoucher: 2, perDay: 1000 };
    const outcomes = await fromTwoProcesses(20, ({ guestMessages }) =>
      guestMessages.add('sms', someSms(voucherId), caps, smsAudit),
    );
    expect(outcomes.filter((outcome) => outcome === 'perVoucher')).toHaveLength(18);
    expect(await shared().tables.guestMessages.ofVoucher('sms', voucherId, 100)).toHaveLength(2);
  });

  test('e-mails that several processes add at the same time do not exceed the cap of a voucher', async () => {
    const voucherId = await addVoucher();
    const audit = draftAudit(actor, 'voucher.email', someTime);
    const outcomes = await fromTwoProcesses(20, ({ guestMessages }) =>
      guestMessages.add(
        'email',
        { id: randomUUID(), voucherId, userId: 1, to: 'gast@example.com', language: 'de' },
        { perVoucher: 2 },
        audit,
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'perVoucher')).toHaveLength(18);
    expect(await shared().tables.guestMessages.ofVoucher('email', voucherId, 100)).toHaveLength(2);
  });

  test('an SMS is counted together with one that another process is just adding', async () => {
    const voucherId = await addVoucher();
    const { database, tables, url } = shared();
    const other = openPatiently(url);
    try {
      const adding = await other.write.transaction();
      const inside = makeTables({ ...other, read: adding, write: adding });
      await inside.guestMessages.add('sms', someSms(voucherId), { perVoucher: 1, perDay: 1000 }, smsAudit);
      let hasEnded = false;
      const outcome = tables.guestMessages
        .add('sms', someSms(voucherId), { perVoucher: 1, perDay: 1000 }, smsAudit)
        .finally(() => (hasEnded = true));
      if (database.dialect === 'postgres')
        await until('the second one waits, or has ended', async () => {
          const { rows } = await other.read.raw<{ rows: unknown[] }>(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rows.length > 0 || hasEnded;
        });
      await adding.commit();
      expect(await outcome).toBe('perVoucher');
    } finally {
      await other.close();
    }
  });
};
