import knex, { type Knex } from 'knex';
import type { UnifiConsole } from '../../simulators/unifi/console.js';
import { simulatedFile } from '../../src/controllers/simulated/simulated.js';
import { newId, nodeSystem } from '../../src/lib/system.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { plantSecrets } from '../support/secretLeaks.js';
import type { TestService } from '../support/service.js';
import { controllerOf } from '../support/serviceInternals.js';

/** Works in the file of the simulated controller of a site, as guests and administrators would. */
export const atController = async <T>(
  service: TestService,
  siteId: number,
  work: (vouchers: () => Knex.QueryBuilder) => Promise<T>,
): Promise<T> => {
  const filename = simulatedFile(service.dataDir, await controllerOf(service, siteId));
  const db = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
  try {
    await db.raw('PRAGMA busy_timeout = 10000');
    return await work(() => db('vouchers'));
  } finally {
    await db.destroy();
  }
};

export const consoleKinds = ['unifi', 'unifi-classic'] as const;

/** Adds a controller for a console and a site for each of these sites of the console; returns their ids. */
export const addConsole = async (
  { tables, dataDir }: TestService,
  console: UnifiConsole,
  kind: (typeof consoleKinds)[number],
  controllerSites: readonly (string | null)[] = ['default'],
): Promise<number[]> => {
  const { url, fingerprint, apiKey, username, password } = console;
  plantSecrets([apiKey, password]);
  plantSecrets(() => console.tokens);
  const secrets = openSecrets({ secretKey: undefined, dataDir });
  const settings = { url, fingerprint };
  const credentials: Record<string, string> = kind === 'unifi' ? { apiKey } : { username, password };
  const controllerId = await tables.controllers.add(
    {
      name: `console ${newId(nodeSystem)}`,
      kind,
      settings,
      sealedCredentials: sealCredentials(secrets, { kind, settings }, credentials),
    },
    Date.now(),
  );
  const ids: number[] = [];
  for (const [index, controllerSite] of controllerSites.entries()) {
    const site = { name: `Haus ${String(index + 1)}`, active: true, controllerId, controllerSite };
    ids.push(await tables.sites.add(site, Date.now()));
  }
  return ids;
};

/** What a client is told of a voucher. */
export interface ListedVoucher {
  readonly voucher_code: string;
  readonly status: string;
  readonly used_count: number;
  readonly expires_at: string | null;
}

/** A client that orders and lists. */
export const makeVoucherClient = async (service: TestService) => {
  const key = await service.addKey();
  return {
    order: async (siteId: number, values: Record<string, unknown> = {}): Promise<string> => {
      const answer = await service.post(
        '/vouchers.php',
        { site_id: siteId, name: 'Berger', ...values },
        { key },
      );
      if (answer.status !== 201) throw new Error(`${String(answer.status)} ${answer.text}`);
      return (answer.body as { code: string }).code;
    },
    list: async (siteId: number): Promise<ListedVoucher[]> => {
      const { body } = await service.get(`/vouchers.php?site_id=${String(siteId)}`, { key });
      return (body as { vouchers: ListedVoucher[] }).vouchers;
    },
  };
};
