import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import {
  makePostgresDatabase,
  makeSqliteDatabase,
  type MakeDatabase,
  type TestDatabase,
} from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startMailServer, type MailServer } from '../support/mailServer.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { makeBrowser, signInFirst, type Browser } from '../support/web.js';

let [own, folder, mailServer, service]: [
  TestDatabase | undefined,
  TestFolder | undefined,
  MailServer | undefined,
  TestService | undefined,
] = [undefined, undefined, undefined, undefined];

afterEach(async () => {
  await service?.stop();
  await mailServer?.stop();
  await folder?.remove();
  await own?.drop();
});

/** Every text of every table, as `table.column: text`. */
const readAllTexts = async ({ database }: TestService): Promise<string[]> => {
  const isPostgres = own?.url.startsWith('postgres') === true;
  const names = isPostgres
    ? database.read('pg_tables').where({ schemaname: 'public' }).select({ name: 'tablename' })
    : database.read('sqlite_master').where({ type: 'table' }).select('name');
  const texts: string[] = [];
  for (const { name } of (await names) as { name: string }[])
    for (const row of (await database.read(name)) as Record<string, unknown>[])
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string' && name !== 'sqlite_master') texts.push(`${name}.${column}: ${value}`);
  return texts;
};

/** Three words in a row. The names of this test, and of what it talks to, have one. */
const sentence = /\p{L}{2,} \p{L}{2,} \p{L}{2,}/u;

const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };

const placeOrder = async (admin: Browser, siteId: number) =>
  (await admin.put(`/orders/${randomUUID()}`, { siteId, name: 'Gast', count: 2, limits })).body as {
    state: string;
    vouchers: { id: number }[];
  };

test.each([
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
] satisfies [string, MakeDatabase][])(
  'after failures of every kind, no sentence is stored in %s: codes and values are',
  async (_, makeDatabase) => {
    [own, folder, mailServer] = [await makeDatabase(), await makeFolder(), await startMailServer()];
    mailServer.answer({ code: 451, text: 'later' });
    const running = await startService({
      dataDir: folder.path,
      env: {
        DATABASE_URL: own.url,
        SMTP_URL: mailServer.url,
        MAIL_FROM: 'wifi@example.org',
        WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
      },
    });
    service = running;
    const admin = await signInFirst(running, 'Anna');
    await makeBrowser(running).post('/session', { login: 'Anna', password: 'falsch' });
    // Nothing listens there.
    const webhook = { name: 'Empfang', format: 'slack', address: 'http://127.0.0.1:1/' };
    expect((await admin.post('/webhooks', webhook)).status).toBe(201);

    for (const [fault, state] of [
      ['refuse', 'failed'],
      ['no-code', 'open'],
      ['disconnect', 'open'],
    ] as const) {
      const siteId = await running.addSite({ name: fault, fault });
      expect(await placeOrder(admin, siteId)).toMatchObject({ state });
    }
    const { vouchers } = await placeOrder(admin, await running.addSite({ name: 'Haus' }));
    const email = { voucherId: vouchers[0]?.id, to: 'gast@example.org', language: 'de' };
    expect((await admin.put(`/emails/${randomUUID()}`, email)).status).toBe(200);

    const texts = await until('the failed attempts', async () => {
      const all = await readAllTexts(running);
      // Of the delivery, the e-mail and the orders.
      const begun = [
        'outbox.reason: {"code":"refused"',
        'outbox.reason: {"code":"answered"',
        'orders.reason: {',
      ];
      const hasAll = begun.every((start) => all.some((text) => text.startsWith(start)));
      return hasAll ? all : undefined;
    });
    expect(texts).toContain('outbox.reason: {"code":"answered","values":{"answer":"451 later"}}');
    expect(texts.filter((text) => sentence.test(text))).toEqual([]);

    expect((await admin.get(`/vouchers/${String(vouchers[0]?.id)}`)).body).toMatchObject({
      emails: [
        {
          reason: {
            de: 'Antwort des Mailservers: 451 later',
            en: 'the mail server answered: 451 later',
          },
        },
      ],
    });
  },
);
