import { nodeSystem } from '../../../../src/lib/system.js';
import { runActor, type Administration } from './administration.js';

/** Nothing listens there. */
const closedAddress = 'https://127.0.0.1:1';

/** What the lists of the pages show beside sites and vouchers. */
export const addWebData = async (
  { controllers, keys, profiles, storage, webhooks }: Administration,
  webhookAddress: string,
): Promise<void> => {
  const failing = await controllers.add(
    {
      name: 'Ausgefallen',
      kind: 'unifi',
      settings: { address: { url: closedAddress } },
      force: false,
      readCredentials: async () => ({ apiKey: 'secret' }),
    },
    runActor,
  );
  await controllers.addSites(failing, [{ name: 'Ausgefallen', controllerSite: null }], runActor);
  const { key } = await keys.create(
    { name: 'Contract', scope: 'read', rateLimit: 0, expiresAt: null },
    runActor,
  );
  const hourMs = 3_600_000;
  const hour = Math.floor(nodeSystem.now() / hourMs) * hourMs;
  await storage.keyUsage.add([{ keyId: key.id, hour, requests: 12, refusals: 1 }]);
  const limits = { maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0 };
  for (const siteIds of [null, [1, 2]])
    await profiles.add({ name: siteIds ? 'Zwei Standorte' : 'Alle Standorte', ...limits, siteIds }, runActor);
  await webhooks.add(
    { name: 'Contract', format: 'generic', language: 'de', readAddress: async () => webhookAddress },
    runActor,
  );
};
