import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { checkLastHour } from '../../../src/cli/doctor/lastHour.js';
import { checkSms } from '../../../src/diagnostics/connectionChecks.js';
import { hourOf } from '../../../src/apiKeys/hourlyCounter.js';
import { wordIn } from '../../../src/i18n/messages.js';
import type { SmsProviderView } from '../../../src/sms/smsProvider.js';
import { enqueueNotifications } from '../../../src/webhooks/notificationTable.js';
import { outboxIdOf } from '../../support/outbox.js';
import { someWebhook } from '../../conformance/tables/outbox.js';
import { makeRetentionFixture, noon } from '../../retention/retentionFixture.js';
import { program } from '../../support/cli.js';
import { peopleDatabases } from '../../support/authFixture.js';
import { answered } from '../../support/deliveryReasons.js';
import { forAllTests } from '../../support/fixture.js';
import { someIntent } from '../../support/records.js';

const minuteMs = 60_000;
const serving = { syncIntervalMs: minuteMs, isServing: true };

describe.each(peopleDatabases)('the last hour on %s', (_, make) => {
  const fixture = forAllTests(() => makeRetentionFixture(make), 'remove');
  const check = (now = noon, options = serving) => checkLastHour(fixture.tables, now, options);
  /** The trouble whose text has these words. */
  const find = async (words: string, now?: number) =>
    (await check(now)).find(({ message }) => message.includes(words));

  test('without trouble is one line', async () => {
    expect(await check()).toEqual([{ check: 'last hour', ok: true, message: 'nothing went wrong' }]);
  });

  test('shows requests of the API that failed, and a controller that can not be reached', async () => {
    const { tables, place } = fixture;
    const keyId = 1;
    const hour = hourOf(noon);
    await tables.keyUsage.add([{ keyId, hour, requests: 9, refusals: 4, failures: 3 }]);
    expect(await find('of the API', noon + 10 * minuteMs)).toMatchObject({
      level: 'warning',
      message: `3 requests of the API ended in an unexpected error (500) since ${time(hour)}`,
    });
    expect(await find('of the API', noon + 125 * minuteMs)).toBeUndefined();
    const controller = { id: place.controllerId, name: 'Haus' };
    const moment = { id: randomUUID(), createdAt: noon - 35 * minuteMs };
    await tables.controllerOutages.noteUnreachable(controller, { kind: 'timeout' }, moment);
    expect(await find('reached')).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/^".+" could not be reached for 35 min$/),
    });
    await tables.controllerOutages.noteReachable(controller, { id: randomUUID(), createdAt: noon });
    await tables.keyUsage.removeBefore(Number.MAX_SAFE_INTEGER);
    expect(await check()).toEqual([{ check: 'last hour', ok: true, message: 'nothing went wrong' }]);
  });

  test('shows an order that got no voucher, with the reason, and not for longer than an hour', async () => {
    const { tables, place } = fixture;
    const [id, createdAt] = [randomUUID(), noon - 10 * minuteMs];
    const intent = someIntent(place.siteId, { id, count: 1, createdAt, origin: 'desk' });
    await tables.intents.begin({
      intent,
      order: {
        ...{ id, userId: 1, kioskId: null, siteId: place.siteId, fingerprint: 'a', name: 'Tagung' },
        ...{ count: 1, made: 0, state: 'open', reason: null, createdAt, allowance: null },
      },
    });
    expect(await find('got no voucher')).toBeUndefined();
    await tables.intents.failOrder({ id, createdAt }, { code: 'unexpected', values: {} });
    expect(await find('got no voucher')).toEqual({
      check: 'last hour',
      ok: true,
      level: 'warning',
      message: `1 order of the web UI got no voucher, the last one at ${time(createdAt)} for site ${String(place.siteId)}: An unexpected error occurred.`,
      remedy: `${program} controller list`,
    });
    expect(await find('got no voucher', noon + 51 * minuteMs)).toBeUndefined();
  });

  test('shows deliveries that failed', async () => {
    const { tables, database } = fixture;
    await tables.webhooks.add(someWebhook({ name: 'Kasse' }));
    await enqueueNotifications(database.write, [
      {
        ...{ type: 'voucher.created', id: 'n1', count: 1, site: 'Nord', source: 'API: Buchung' },
        createdAt: noon - 2 * minuteMs,
      },
    ]);
    await tables.deliveries.dispatch(noon);
    const [delivery] = await tables.deliveries.newest({}, 1);
    await tables.outbox.settle(delivery!.id, 'failed', answered(500), noon - minuteMs);
    expect(await find('failed for good')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining(`1 delivery failed for good, the last one to "Kasse" at`),
      remedy: `${program} webhook deliveries --state failed`,
    });
    expect(await find('failed for good', noon + 60 * minuteMs)).toBeUndefined();
  });

  test('shows e-mails that failed or wait for long, without the address of the guest', async () => {
    const { tables, database } = fixture;
    const voucher = await fixture.voucher();
    const waiting = await fixture.email(voucher, noon - 11 * minuteMs);
    expect(await find('e-mail waits')).toMatchObject({ message: '1 e-mail waits, the oldest for 11 min' });
    const reason = { code: 'text', values: { text: 'mailbox full' } } as const;
    await tables.outbox.settle(await outboxIdOf(database, waiting), 'failed', reason, noon);
    const failed = await find('could not be sent');
    expect(failed).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/^1 e-mail .*: mailbox full$/),
    });
    expect(failed?.message).not.toContain('example.org');
    expect(await find('e-mail waits')).toBeUndefined();
    expect(await find('could not be sent', noon + 61 * minuteMs)).toBeUndefined();
  });

  test('shows SMS that failed or wait for long, without the number of the guest', async () => {
    const { tables, database } = fixture;
    const voucher = await fixture.voucher();
    const [id, at] = [randomUUID(), noon - 11 * minuteMs];
    const sms = { id, voucherId: voucher.id, userId: 1, to: '+4915112345678', language: 'de' };
    await tables.guestMessages.add(
      'sms',
      sms,
      { perVoucher: 50, perDay: 50 },
      {
        ...{ at, actorKind: 'user', actorName: 'Anna', address: null, action: 'voucher.sms', detail: {} },
      },
    );
    expect(await find('SMS waits')).toMatchObject({ message: '1 SMS waits, the oldest for 11 min' });
    await tables.outbox.settle(
      await outboxIdOf(database, id),
      'failed',
      { code: 'credentials', values: {} },
      noon,
    );
    const failed = await find('SMS could not be sent');
    expect(failed).toMatchObject({
      level: 'warning',
      message: `1 SMS could not be sent, the last one at ${time(noon)}: the SMS provider refuses the credentials`,
    });
    expect(await find('SMS waits')).toBeUndefined();
    expect(await find('SMS could not be sent', noon + 61 * minuteMs)).toBeUndefined();
    const view = { url: 'https://sms.example.org/send', fixed: null, isComplete: true } as SmsProviderView;
    expect(wordIn('en', 'finding', checkSms(view, await tables.outbox.failedSince('sms', 0)).message)).toBe(
      `set up, through sms.example.org; the last failure was at ${time(noon)}: the SMS provider refuses the credentials`,
    );
  });

  test('shows a storm of refused sign-ins, and not those of people who mistype', async () => {
    const { tables } = fixture;
    const refuse = (address: string, count: number) =>
      tables.auditLog.merge([
        {
          entry: {
            ...{ at: noon - minuteMs, actorKind: 'system', actorName: null, action: 'user.sign-in-refused' },
            ...{ subjectKind: null, subjectId: null, subjectName: null, address, detail: {} },
          },
          mergeKey: randomUUID(),
          count,
        },
      ]);
    await refuse('192.0.2.1', 19);
    expect(await find('sign-ins')).toBeUndefined();
    await refuse('192.0.2.2', 100);
    expect(await find('sign-ins')).toMatchObject({ message: '119 sign-ins were refused, from 2 addresses' });
  });

  test('shows a controller that was not compared for long, when a service should have done it', async () => {
    const { tables, place } = fixture;
    await tables.controllers.noteSync(place.controllerId, noon - 4 * minuteMs);
    expect(await find('last compared')).toBeUndefined();
    const later = noon + 20 * minuteMs;
    const [{ name } = { name: '' }] = await tables.controllers.all();
    expect(await find('last compared', later)).toMatchObject({
      message: `vouchers of "${name}" were last compared 24 min ago`,
      remedy: `${program} sync "${name}"`,
    });
    for (const options of [
      { ...serving, isServing: false },
      { ...serving, syncIntervalMs: 0 },
    ])
      expect((await check(later, options)).filter(({ message }) => message.includes('compared'))).toEqual([]);
  });
});

const time = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
