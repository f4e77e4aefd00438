import { expect, test } from '@jest/globals';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../src/database/migrations/index.js';
import { withAdmin } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import type { Browser } from '../support/web.js';

const clock = makeClock();
const api = withAdmin({ system: { now: clock.now }, perTest: 'service' });

interface Texts {
  de: string;
  en: string;
}
type TimedText = { text: string; at: string | null };
interface System {
  openIntents: { site: string; outcome: string }[];
  failedDeliveries: number;
  findings: {
    check: string;
    subject: string | null;
    isOk: boolean;
    message: { de: TimedText[]; en: TimedText[] };
    remedy: Texts | null;
    command: string | null;
  }[];
}
const look = async (admin: Browser): Promise<System> => {
  const answer = await admin.get('/system');
  expect(answer.status).toBe(200);
  return answer.body as System;
};
const toText = (parts: readonly TimedText[]): string =>
  parts.map(({ text, at }) => text + (at ?? '')).join('');
/** A finding of a check, with its messages as texts. */
const find = async (admin: Browser, check: string) => {
  const found = (await look(admin)).findings.find((finding) => finding.check === check);
  return found && { ...found, message: { de: toText(found.message.de), en: toText(found.message.en) } };
};

test('the state of the service is told, with what doctor finds, in both languages', async () => {
  const started = clock.now();
  expect((await api.admin.get('/system')).body).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    nodeVersion: process.versions.node,
    startedAt: new Date(started).toISOString(),
    database: 'sqlite',
    migrations: migrations.length,
    openIntents: [],
    failedDeliveries: 0,
    retention: [
      { kind: 'vouchers', days: null, setting: 'RETAIN_VOUCHERS_DAYS' },
      { kind: 'orders', days: 90, setting: 'RETAIN_ORDERS_DAYS' },
      { kind: 'deliveries', days: 30, setting: 'RETAIN_DELIVERIES_DAYS' },
      { kind: 'emails', days: 90, setting: 'RETAIN_EMAILS_DAYS' },
      { kind: 'audit', days: 400, setting: 'AUDIT_DAYS' },
      { kind: 'sessions', days: 0, setting: null },
      { kind: 'usage', days: 7, setting: 'RETAIN_USAGE_DAYS' },
    ],
  });
  const { findings } = await look(api.admin);
  expect(findings.map(({ check }) => check)).toEqual([
    'disk',
    'clock',
    'email',
    'sms',
    'single-sign-on',
    'keys',
    'sites',
    'intents',
    'secrets',
    'webhooks',
    'permissions',
  ]);
  for (const { check, message, remedy, command, isOk } of findings) {
    expect([message.de, message.en].map(toText)).not.toContain('');
    const isSilent = remedy === null && command === null;
    expect(isOk).toBe(isSilent || ['email', 'sms', 'single-sign-on', 'keys'].includes(check));
  }
});

test('times in findings are values of their own, in UTC', async () => {
  const { findings } = await look(api.admin);
  expect(findings.find(({ check }) => check === 'clock')?.message.de).toEqual([
    { text: '', at: new Date(clock.now()).toISOString() },
    { text: expect.stringMatching(/^, Zeitzone \S+$/), at: null },
  ]);
});

test('without keys and sites it says how to add them, and then how many there are', async () => {
  expect(await find(api.admin, 'keys')).toMatchObject({
    check: 'keys',
    subject: null,
    // For information: many services have none.
    isOk: true,
    message: { de: 'keine', en: 'none' },
    ...{ remedy: null, command: 'npx voucherd key create --name N --scope write' },
  });
  expect(await find(api.admin, 'sites')).toMatchObject({ isOk: false, message: { de: 'keiner aktiv' } });
  await api.addKey();
  await api.addSite();
  expect(await find(api.admin, 'keys')).toMatchObject({
    isOk: true,
    message: { de: '1 gültig', en: '1 valid' },
  });
  expect(await find(api.admin, 'sites')).toMatchObject({ isOk: true, message: { en: '1 active' } });
});

test('that e-mail is not set up is said for information, and a controller by its name', async () => {
  await api.addSite();
  expect(await find(api.admin, 'email')).toMatchObject({
    check: 'email',
    subject: null,
    isOk: true,
    message: {
      de: 'nicht eingerichtet: Voucher lassen sich nicht per E-Mail senden',
      en: 'not set up: vouchers cannot be sent by e-mail',
    },
    remedy: {
      de: 'wer das will, richtet auf der Seite E-Mail einen Mailserver ein, oder setzt SMTP_URL und MAIL_FROM',
      en: 'to send e-mails, set up a mail server on the page E-mail, or set SMTP_URL and MAIL_FROM',
    },
  });
  const [{ name } = { name: '' }] = await api.tables.controllers.all();
  expect(await find(api.admin, 'controller')).toMatchObject({ subject: name, isOk: true });
});

test('a file that others can open is found, with the command that mends it', async () => {
  expect(await find(api.admin, 'permissions')).toMatchObject({ isOk: true, remedy: null, command: null });
  const file = join(api.dataDir, 'voucherd.sqlite');
  chmodSync(file, 0o644);
  chmodSync(api.dataDir, 0o755);
  expect(await find(api.admin, 'permissions')).toMatchObject({
    isOk: false,
    ...{ remedy: null, command: expect.stringContaining(`chmod o= "${file}"`) },
  });
});

test('open orders are listed with what will become of them', async () => {
  const siteId = await api.addSite();
  const { intents } = api.tables;
  const intent = {
    siteId,
    name: '2026-11-14_Familie Berger',
    maxUses: 1,
    expireMinutes: 1,
    down: 0,
    up: 0,
    quotaMb: 0,
    count: 1,
    profileId: null,
    origin: 'api' as const,
    actorName: 'Test',
  };
  await intents.begin({ intent: { ...intent, id: 'a'.repeat(32), createdAt: clock.now() - 86_400_000 } });
  await intents.begin({ intent: { ...intent, id: 'b'.repeat(32), createdAt: clock.now() - 2 } });
  await intents.begin({ intent: { ...intent, id: 'c'.repeat(32), createdAt: clock.now() - 1 } });
  await intents.end('c'.repeat(32), { at: clock.now(), clock: undefined, isVoid: false });
  const { openIntents } = await look(api.admin);
  const order = { site: 'Hauptgebäude', name: '2026-11-14_Familie Berger' };
  expect(openIntents).toMatchObject([
    { ...order, outcome: 'overdue' },
    { ...order, outcome: 'in-progress' },
    { ...order, outcome: 'being-settled' },
  ]);
  expect(await find(api.admin, 'intents')).toMatchObject({
    isOk: false,
    message: { de: expect.stringMatching(/^3 offen, die älteste seit 24 h, also länger als/) },
  });
});
