import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { run } from '../support/cli.js';
import { makeFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const api = withApi({ site: false });
const voucherd = async (...argv: string[]) => (await run(argv, { DATA_DIR: api.dataDir })).out.trim();

test('a key that is created while the server runs is usable at once', async () => {
  const key = await voucherd('key', 'create', '--name', 'Neu', '--scope', 'read');
  expect((await api.get('/sites.php', { key })).status).toBe(200);
});

test('a key that is revoked while the server runs is refused', async () => {
  const key = await voucherd('key', 'create', '--name', 'Alt', '--scope', 'read', '--rate-limit', '0');
  expect((await api.get('/sites.php', { key })).status).toBe(200);
  await voucherd('key', 'revoke', key);
  await until('the key is refused', async () => (await api.get('/sites.php', { key })).status === 401);
});

test('a site that is added, deactivated and activated while the server runs is seen at once', async () => {
  const key = await voucherd('key', 'create', '--name', 'Neu', '--scope', 'write', '--rate-limit', '0');
  const order = async (siteId: number) =>
    (await api.post('/vouchers.php', { site_id: siteId, name: 'Berger' }, { key })).status;
  await voucherd('controller', 'add', '--name', 'Konsole', '--kind', 'simulated');
  const id = await voucherd('site', 'add', '--name', 'Hauptgebäude', '--controller', 'Konsole');
  expect(await order(Number(id))).toBe(201);
  await voucherd('site', 'deactivate', id);
  expect(await order(Number(id))).toBe(404);
  expect((await api.get('/sites.php', { key })).body).toEqual({ sites: [] });
  await voucherd('site', 'activate', id);
  expect(await order(Number(id))).toBe(201);
});

test('a configuration that is imported while the server runs is used at once', async () => {
  const key = await voucherd('key', 'create', '--name', 'Neu', '--scope', 'write', '--rate-limit', '0');
  const folder = await makeFolder();
  const file = join(folder.path, 'voucherd.yaml');
  const controller = { name: 'Importiert', kind: 'simulated', settings: {} };
  const site = { id: 4711, name: 'Anbau', active: true, controller: 'Importiert' };
  await writeFile(
    file,
    JSON.stringify({ voucherd: 'configuration', version: 1, controllers: [controller], sites: [site] }),
  );
  await voucherd('config', 'import', file);
  await folder.remove();
  expect((await api.post('/vouchers.php', { site_id: 4711, name: 'Berger' }, { key })).status).toBe(201);
});

test('commands and requests at the same time do not stand in each other’s way', async () => {
  const siteId = await api.addSite();
  const orders = Array.from({ length: 40 }, () => api.createVoucher({ site_id: siteId, name: 'Berger' }));
  const keys: string[] = [];
  for (const name of ['a', 'b', 'c'])
    keys.push(await voucherd('key', 'create', '--name', name, '--scope', 'read'));
  expect(new Set((await Promise.all(orders)).map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(keys).size).toBe(3);
});
