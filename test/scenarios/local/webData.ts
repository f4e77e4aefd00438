import { randomUUID } from 'node:crypto';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import { draftAudit } from '../../../src/audit/audit.js';
import { runActor, type Administration } from './administration.js';

/** The name of a controller that does not answer, and of its site. */
export const failingName = 'Ausgefallen';
/** The name of a receipt printer that prints. */
export const runPrinterName = 'Bondrucker';
/** Nothing listens there. */
export const closedAddress = 'https://127.0.0.1:1';
/** What only a database of FreeRADIUS can be told. */
export const databaseOptions = { tls: 'off', hasRates: true, disconnectPort: 3799 } as const;
export const closedDatabase = 'postgresql://127.0.0.1:1/radius';

/** What the lists of the pages show beside sites and vouchers. */
export const addWebData = async (
  { controllers, keys, kiosks, printers, profiles, tables, webhooks }: Administration,
  webhookAddress: string,
  printerPort: number,
): Promise<void> => {
  const failing = await controllers.add(
    {
      name: failingName,
      kind: 'unifi',
      settings: { address: { url: closedAddress } },
      force: false,
      readCredentials: async () => ({ apiKey: 'secret' }),
    },
    runActor,
  );
  const account = async () => ({ username: 'contract', password: 'secret' });
  for (const { kind, address } of [
    { kind: 'radius-sql', address: { url: closedDatabase, options: databaseOptions } },
    { kind: 'mikrotik', address: { url: closedAddress, options: { usesUserManager: true } } },
  ])
    await controllers.add(
      { name: kind, kind, settings: { address }, force: true, readCredentials: account },
      runActor,
    );
  const failingSite = { name: failingName, controllerSite: null };
  const [siteId = 0] = await controllers.addSites(failing, [failingSite], runActor);
  const dayMs = 86_400_000;
  const [now, limits] = [nodeSystem.now(), { maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0 }];
  const order = { id: newId(nodeSystem), siteId, name: '2026-11-14_Familie Berger' };
  const by = { origin: 'api', actorName: 'Contract' } as const;
  const one = { ...by, count: 1, profileId: null };
  await tables.intents.begin({ intent: { ...order, ...one, ...limits, createdAt: now - dayMs } });
  const { key } = await keys.create(
    { name: 'Contract', scope: 'read', rateLimit: 0, expiresAt: null },
    runActor,
  );
  const hourMs = 3_600_000;
  const hour = Math.floor(now / hourMs) * hourMs;
  await tables.keyUsage.add([{ keyId: key.id, hour, requests: 12, refusals: 1, failures: 0 }]);
  for (const siteIds of [null, [1, 2]])
    await profiles.add({ name: siteIds ? 'Zwei Standorte' : 'Alle Standorte', ...limits, siteIds }, runActor);
  await kiosks.add({ siteId: 1, profileId: 1, perHour: 20, asksName: false }, runActor);
  for (const siteIds of [null, [1, 2]])
    await printers.add(
      {
        ...{ name: siteIds ? 'Zwei Standorte' : runPrinterName, host: '127.0.0.1', port: printerPort },
        ...{ paper: '80mm', siteIds },
      },
      runActor,
    );
  const [voucher] = await tables.vouchers.byIds([17]);
  if (voucher) {
    const message = { voucherId: voucher.id, userId: 1, language: 'de' };
    const email = { ...message, id: randomUUID(), to: 'gast@example.org' };
    await tables.guestMessages.add(
      'email',
      email,
      { perVoucher: 50 },
      draftAudit(runActor, 'voucher.email', now),
    );
    const sms = { ...message, id: randomUUID(), to: '+491711234567' };
    await tables.guestMessages.add(
      'sms',
      sms,
      { perVoucher: 20, perDay: 100 },
      draftAudit(runActor, 'voucher.sms', now),
    );
  }
  await webhooks.add(
    { name: 'Contract', format: 'generic', language: 'de', readAddress: async () => webhookAddress },
    runActor,
  );
};
