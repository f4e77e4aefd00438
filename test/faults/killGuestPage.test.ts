import { randomUUID } from 'node:crypto';
import { setTimeout as passing } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { draftAudit } from '../../src/audit/audit.js';
import { kioskDefaults } from '../../src/kiosks/kioskInput.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { kills } from '../support/kills.js';
import { addSite, someTime } from '../support/records.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';
import { makeGuest } from '../webApi/guestsFixture.js';
import { expectNothingHalfWritten, expectSettled, readDataSnapshot } from './dataSnapshot.js';
import { killProgram, serveProgram, stopProgram } from './program.js';
import { prepareTables } from './tablesFixture.js';

const latencyMs = 30;

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  const actor = { kind: 'user', name: 'Anna', address: null } as const;
  await prepareTables(folder.path, async (tables) => {
    const { siteId, controllerId } = await addSite(tables);
    await tables.controllers.change(controllerId, { settings: { latencyMs } });
    const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0, siteIds: null };
    const profile = { ...limits, name: 'Tag', nameKey: 'tag' };
    const profileId = Number(await tables.profiles.add(profile, draftAudit(actor, 'profile.add', someTime)));
    const page = {
      ...{ ...kioskDefaults, tokenHash: randomUUID(), siteId, profileId, perHour: 500, asksName: true },
      ...{ slug: 'see', perDevice: null, createdAt: someTime, createdBy: 'Anna' },
    };
    await tables.kiosks.add(page, 'Hauptgebäude', draftAudit(actor, 'kiosk.add', someTime));
  });
});

const guestAt = (url: string) =>
  makeGuest({ request: (method, path, options) => send(url, method, path, options) }, 'see');

test(`a guest page that is killed ${String(kills)} times in mid-order gives each guest one voucher`, async () => {
  const orders: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const orderId = randomUUID();
    orders.push(orderId);
    const program = serveProgram(folder.path);
    let answered: Promise<unknown> | undefined;
    try {
      const guest = guestAt(await program.url());
      const body = { ...(await guest.solve(orderId)), name: `Gast ${String(round)}` };
      answered = guest.put(orderId, body).catch(() => undefined);
      // Before, while and after the controller is asked.
      await passing((round / kills) * 3 * latencyMs);
    } finally {
      await killProgram(program);
    }
    await answered;
    expectNothingHalfWritten(await readDataSnapshot(folder.path));
  }

  const program = serveProgram(folder.path);
  try {
    const guest = guestAt(await program.url());
    // The page asks for its order again, with another puzzle. What was lost before the controller was asked has
    // failed; the guest then begins anew.
    for (const [round, first] of orders.entries()) {
      let orderId = first;
      await until('the code', async () => {
        const answer = await guest.order({ name: `Gast ${String(round)}` }, orderId);
        const { state } = answer.body as { state?: string };
        if (state === 'failed') orderId = randomUUID();
        return state === 'made';
      });
    }
  } finally {
    expect(await stopProgram(program)).toBe(0);
  }
  const books = await readDataSnapshot(folder.path);
  expectSettled(books);
  expect(books.made).toHaveLength(orders.length);
  const names = books.vouchers.map(({ name }) => name.slice('2026-01-01_'.length)).sort();
  expect(names).toEqual(orders.map((_, round) => `Gast ${String(round)}`).sort());
});
