import { newId, nodeSystem } from '../../../../src/lib/system.js';
import { runActor, type Administration } from './administration.js';

/** The name of a controller that does not answer, and of its site. */
export const failingName = 'Ausgefallen';
/** Nothing listens there. */
const closedAddress = 'https://127.0.0.1:1';

/** What the lists of the pages show beside sites and vouchers. */
export const addWebData = async (
  { controllers, keys, profiles, storage, webhooks }: Administration,
  webhookAddress: string,
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
  const failingSite = { name: failingName, controllerSite: null };
  const [siteId = 0] = await controllers.addSites(failing, [failingSite], runActor);
  const dayMs = 86_400_000;
  const [now, limits] = [nodeSystem.now(), { maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0 }];
  const order = { id: newId(nodeSystem), siteId, name: '2026-11-14_Familie Berger', source: 'API: Contract' };
  await storage.intents.begin({ intent: { ...order, ...limits, createdAt: now - dayMs } });
  const { key } = await keys.create(
    { name: 'Contract', scope: 'read', rateLimit: 0, expiresAt: null },
    runActor,
  );
  const hourMs = 3_600_000;
  const hour = Math.floor(now / hourMs) * hourMs;
  await storage.keyUsage.add([{ keyId: key.id, hour, requests: 12, refusals: 1 }]);
  for (const siteIds of [null, [1, 2]])
    await profiles.add({ name: siteIds ? 'Zwei Standorte' : 'Alle Standorte', ...limits, siteIds }, runActor);
  await webhooks.add(
    { name: 'Contract', format: 'generic', language: 'de', readAddress: async () => webhookAddress },
    runActor,
  );
};
