import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { startTwilioSimulator } from '../../simulators/twilio.js';
import { draftAudit } from '../../src/audit/audit.js';
import { openDatabase, type Database } from '../../src/database/database.js';
import { kioskDefaults } from '../../src/kiosks/kioskInput.js';
import { hashToken } from '../../src/kiosks/kiosks.js';
import { run } from '../support/cli.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { addSite, someTime } from '../support/records.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';
import { makeBrowser } from '../support/web.js';
import { expectNothingHalfWritten, readDataSnapshot } from './dataSnapshot.js';
import { killProgram, serveProgram, stopProgram } from './program.js';
import { prepareTables } from './tablesFixture.js';

const token = randomUUID();

const folder = forAllTests(makeFolder, 'remove');
const twilio = forAllTests(startTwilioSimulator, 'stop');
beforeAll(async () => {
  const actor = { kind: 'user', name: 'Anna', address: null } as const;
  await prepareTables(folder.path, async (tables) => {
    const { siteId } = await addSite(tables);
    const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0, siteIds: null };
    const profile = { ...limits, name: 'Tag', nameKey: 'tag' };
    const profileId = Number(await tables.profiles.add(profile, draftAudit(actor, 'profile.add', someTime)));
    const kiosk = {
      ...{ ...kioskDefaults, tokenHash: hashToken(token), siteId, profileId, perHour: 500, asksName: false },
      ...{ sendsSms: true, createdAt: someTime, createdBy: 'Anna' },
    };
    await tables.kiosks.add(kiosk, 'Hauptgebäude', draftAudit(actor, 'kiosk.add', someTime));
  });
});

const settings = () => ({
  ...{ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1', SMS_PROVIDER: 'twilio', SMS_URL: twilio.url },
  ...{ SMS_USER: twilio.accountSid, SMS_SECRET: twilio.authToken, SMS_FROM: '+15005550006' },
  // No order is left open here, also on a busy machine.
  CONTROLLER_DEADLINE_S: '600',
});

const withDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
  const database = openDatabase(`sqlite:${join(folder.path, 'voucherd.sqlite')}`);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

interface SmsRow {
  readonly key: string;
  readonly state: string;
  readonly tries: number;
  readonly reason: string | null;
  readonly begun_at: number | null;
}
const rows = () => withDatabase(({ read }) => read('outbox').select<SmsRow[]>());
const find = async (id: string): Promise<SmsRow | undefined> => (await rows()).find(({ key }) => key === id);

/** The lease of the killed process has ended, and what waits for another attempt is not due for an hour. */
const endLeases = (): Promise<void> =>
  withDatabase(async ({ write }) => {
    await write('leases').delete();
    await write('outbox')
      .where('state', 'waiting')
      .update({ at: Date.now() + 3_600_000 });
  });

/** As after a day without the service: no lease or attempt lasts, and everything that waits is due. */
const passADay = (): Promise<void> =>
  withDatabase(async ({ write }) => {
    await write('leases').delete();
    await write('outbox').where('state', 'waiting').whereNotNull('begun_at').update({ begun_at: 1 });
    await write('outbox').where('state', 'waiting').update({ at: 1 });
  });

interface Sent {
  readonly id: string;
  readonly to: string;
}

/** A guest takes a voucher at the kiosk, and has it sent: the page was told that it is on its way. */
const sendAsGuest = async (url: string, to: string): Promise<Sent> => {
  const [id, orderId] = [randomUUID(), randomUUID()];
  const tablet = makeBrowser({ request: (method, path, options) => send(url, method, path, options) });
  const put = (path: string, body: object) =>
    tablet.request('PUT', `/kiosk/orders/${orderId}${path}`, { headers: { 'X-Kiosk-Token': token }, body });
  expect(await put('', {})).toMatchObject({ status: 200, body: { state: 'made' } });
  expect((await put(`/sms/${id}`, { to, language: 'de' })).status).toBe(204);
  return { id, to };
};

/** Starts the service, has an SMS sent, and kills it at a moment. */
const killAt = async (to: string, moment: (sms: Sent) => Promise<unknown>): Promise<Sent> => {
  const program = serveProgram(folder.path, settings());
  try {
    const sms = await sendAsGuest(await program.url(), to);
    await moment(sms);
    return sms;
  } finally {
    await killProgram(program);
    expectNothingHalfWritten(await readDataSnapshot(folder.path));
  }
};

const acceptedFor = ({ to }: Sent): number => twilio.accepted.filter((sms) => sms.to === to).length;
const untilAsked = (times: number) => until('the request', () => twilio.requests() === times);

test('killed while it sends, the service sends no SMS twice, loses none, and says which may have been sent', async () => {
  twilio.fail({ does: 'hang', accepts: true });
  const accepted = await killAt('+491711000001', () => untilAsked(1));
  expect(await find(accepted.id)).toMatchObject({ state: 'waiting', begun_at: expect.any(Number) });
  await passADay();
  twilio.fail({ does: 'hang', accepts: false });
  const lost = await killAt('+491711000002', () => untilAsked(2));
  await passADay();
  twilio.fail({ does: 'answer', status: 503 });
  const postponed = await killAt('+491711000003', (sms) =>
    until('the failure', async () => (await find(sms.id))?.tries === 1),
  );
  await endLeases();
  // Right after the page was told: the attempt may have begun, or not.
  const early = await killAt('+491711000004', () => Promise.resolve());
  await passADay();

  const program = serveProgram(folder.path, settings());
  try {
    await program.url();
    await until('nothing to wait', async () => (await rows()).every(({ state }) => state !== 'waiting'));
  } finally {
    expect(await stopProgram(program)).toBe(0);
  }
  const interrupted = {
    state: 'failed',
    tries: 1,
    begun_at: null,
    reason: expect.stringContaining('interrupted'),
  };
  expect(await find(accepted.id)).toMatchObject(interrupted);
  expect(acceptedFor(accepted)).toBe(1);
  expect(await find(lost.id)).toMatchObject(interrupted);
  expect(acceptedFor(lost)).toBe(0);
  expect(await find(postponed.id)).toMatchObject({ state: 'sent', tries: 2 });
  expect(acceptedFor(postponed)).toBe(1);
  const settled = await find(early.id);
  if (settled?.state === 'sent') expect(acceptedFor(early)).toBe(1);
  else {
    expect(settled).toMatchObject(interrupted);
    expect(acceptedFor(early)).toBeLessThanOrEqual(1);
  }
  expect(await rows()).toHaveLength(4);
  const { out } = await run(['doctor', '--json'], { ...settings(), DATA_DIR: folder.path });
  expect(out).toContain('the SMS may have been sent anyway');
  expect(out).not.toContain('1711000');
});
