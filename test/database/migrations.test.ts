import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { migrations } from '../../src/database/migrations/index.js';
import { migrate } from '../../src/database/migrator.js';
import { makeSqliteDatabase, openPatiently } from '../support/databases.js';
import { statementsOf } from '../support/queryLog.js';

const folder = join(import.meta.dirname, '../../src/database/migrations');

/** The SHA-256 of each migration's file. A new migration adds its line; a line that is there never changes. */
const released = {
  '0001_initial': '70a5dd76ef6033a64d71acab2d94410fa375e73d81db1b12075a776ab8ca72a1',
  '0002_webhooks': '8b2eba371dcf827d4ff9a0766cf5055f08f64751b378204f75618453db31a3af',
  '0003_controllers': 'c47f4110deeb6506329108efc1b0fa44075a9fe048ef7dbc062dae322372c4a3',
  '0004_unexpired': '70681ddc214f2c784bdb36613f33b95e6b777e00f973e1a11874af54450fe079',
  '0006_outcomes': '334731546e9499a765255fb60cccdac9a0df7540335246d81c6e79e72a5fd7e5',
  '0007_people': '5a89c2067cb2832cb477cfc29c6353ffa4bf58081d41ef308628f12028bd0d35',
  '0008_pages': 'd21a831179bcc1609a5d4bfba7623391cacaca2d2bf672eb88d2e51b87f9e6dd',
  '0009_orders': '8152472a9002f65f294553cb7fd47fedfa7ebbe3644f39e3cec21cd5eb07b72b',
  '0010_printing': '6ac7247468f987297290999e61c104839434a234c43205d22961297ea9a74b06',
  '0011_kiosks': 'f05752b2985628dd17920300ccea18481c1e665d6f606d9be68653da120f97ad',
  '0012_search': 'f111a8de9d42ecb3223bda765781d59d5ed96c6f8065d179306afdfb035d6e27',
  '0013_email': '974ca3534cf9b09637b434e2178ce303448b297fb1ce58a1775eb98b6649783b',
  '0014_speedAndData': '6020de3e3b3a96c5b9a05a9d515a0321be8a9c3079579fbe8e48cab459673961',
  '0015_identities': 'f0aa210bc3c281ec77225bff2cba8483382b89a5712b0d356c1ecc6750725fc5',
  '0016_attempts': 'f0f6d7ea435131246bfd9fb8bba724cdf18fe2e242e01d3ff087a654be63fb3b',
  '0017_missingWords': '180b90244475c5ecab481ea3dc281ad2fea31724d744574f82db6e19060d5cef',
  '0019_writeProbe': '510573cb4add23256edde032f8cbc6d55c2e1555fd34698d6e0ee805c51214ab',
  '0020_voucherActors': 'adfe67990975ad3cbcce347967393be9f204e5a89bc4df7c02941e2f80e621b5',
  '0021_retention': 'a1e24bac2aac02fc142840658e1e7e2d356661022e52bf04c43b5c61b4dc69bc',
  '0022_removedWords': '7f941d9df61aceac497737dd022148e8c092a177ed148304c0d3233ebaaa2b6a',
  '0023_endedIndex': '0ebc981c07b88d106369759adc02cbd3dacecb965947fdaf5d722520e93b0eb3',
  '0024_profileOrder': 'fdf39cb58e5797ba7636a96966f8ee386df5e97fa1e3ac1146fd5e0568c310df',
  '0025_orderLimits': '978b2d27cb022f1d8cb9175ad5dceedf3726e5534499d04a623ca5c41d80429f',
  '0026_connections': '425611c5cd58c85d022a58911ec9a97fdbbdd94a7ca742d267d621e4c57ae755',
  '0027_accountEmails': 'f25e33e3dbfa7e87eda5f2a756d327780912776401457bf1433ecf8184af1570',
  '0029_siteWifi': 'f2c94198c2b23d9732dfc6ef01c88f9246609f73c354f18d0b986fc95125493d',
  '0030_sitePrinting': '6bb8f7b0c060e8ec5a1cba20cc8277254294782956d91bdcb19daff466f22f77',
  '0031_guestTexts': 'dc5377a29f7146c0df2871b1d07d36b5119867a3c10cf1b13c8f54236e151c90',
  '0032_kioskChoices': '57c8bf05bd3358bfd0ed9a53f21ba4e1f3c28f3d0dae996b2ca9e4c09c16a046',
  '0033_guestPages': '3bcb621ab83b41ebe353a5bced06d7366ae5cc8aa83446af61d05d6ac2fa3572',
  '0034_sms': '588effb3435d0cc3bd40861363667a705991c9d685831164b3d19526b9c6ca8e',
  '0035_removedVoucherCounts': 'a32a7dfd4030b575878024df6ca9d03373a012d55f9b0d0856f4f0cff354afcd',
  '0036_branding': '7453f1853b00995e2019383ab3b36e64412bc3c2a648f13bfb77d2a8ad1bfb8e',
  '0037_kioskSms': 'ddf1fdf70f81526ad1de67b7909afb4c456b32345ad728368382cb112f32c1d4',
  '0038_voucherOrder': '42760a3fe811741e44b42983e3944deba030d3ae251d3119dc7ec8ce5280a54a',
  '0039_voucherNames': '8a66b91d0c8adfdf632f5948d9754a5ac64e0a625eb0a0b7f3e18f07064e3aab',
  '0040_guestOrigin': 'c50f4c40bb621c4bbc9b5917ca5f25826b61ccd526e64d738bb7178a2cdacd89',
  '0042_controllerOutages': 'e23505eefcef86017c8ae799888279603745c1405cfec408e24a05b260697d24',
  '0043_ownCodes': '8ae2e22656ab9664a29f6179f5805d2492dfc83c1e085f6a07092b4e44576951',
  '0044_keyFailures': '4806a5cef96328cae94390674f5222658bf9969477ae8cbce6313faab4d1e395',
  '0045_inUse': '5a2c1b7ee544b03efda7c3a3af530a70116af99ecb99bc9d9455a2946dbb5be5',
};

const readMigrations = async (): Promise<[name: string, source: string][]> => {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.ts$/.test(file)).sort();
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => [
      file.replace('.ts', ''),
      await readFile(join(folder, file), 'utf8'),
    ]),
  );
};

test('a migration does next year what it did when it was released: its file never changes', async () => {
  const hashes = (await readMigrations()).map(([name, source]) => [
    name,
    createHash('sha256').update(source).digest('hex'),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(released);
});

test('a migration imports nothing of the program, which changes', async () => {
  for (const [name, source] of await readMigrations()) {
    const imported = [...source.matchAll(/\b(?:import|require)\b[^;]*?['"]([^'"]+)['"]/g)].map(
      ([statement, from]) => ({ name, statement: statement.replaceAll(/\s+/g, ' '), from }),
    );
    for (const { statement, from } of imported)
      expect({ name, statement, from }).toEqual({
        ...{ name, from: 'knex' },
        statement: expect.stringMatching(/^import type /),
      });
  }
});

test('each file is a migration, and they run in the order of their numbers', async () => {
  expect(migrations.map(({ name }) => name)).toEqual((await readMigrations()).map(([name]) => name));
});

test('of a database that is up to date a start reads the names of the migrations once, and writes nothing', async () => {
  const own = await makeSqliteDatabase();
  const database = openPatiently(own.url);
  const statements = await statementsOf(database, () => migrate(database));
  expect(statements.filter((sql) => /^select .*from .migrations/i.test(sql))).toHaveLength(1);
  expect(statements.filter((sql) => /^(?:insert|update|delete|alter)/i.test(sql))).toEqual([]);
  await database.close();
  await own.drop();
});
