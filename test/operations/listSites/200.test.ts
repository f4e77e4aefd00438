import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';

const api = withApi({ perTest: 'service', site: false });

const sites = async (): Promise<unknown> => (await api.get('/sites.php', { key: api.key })).body;

test('GET /sites.php lists the active sites [listSites-active listSites-200 site-id-and-name]', async () => {
  const id = await api.addSite({ name: 'Hauptgebäude' });
  await api.addSite({ name: 'Abgerissen', active: false });
  const { status, headers, text } = await api.get('/sites.php', { key: api.key });
  expect(status).toBe(200);
  expect(text).toBe(`{"sites":[{"id":${id},"name":"Hauptgebäude"}]}`);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers.etag).toMatch(/^"[^"]+"$/);
});

test('sites are listed by name [listSites-by-name]', async () => {
  for (const name of ['Zelt', 'Haus 10', 'Äpfelhof', 'haus 2', 'Birkenhof']) await api.addSite({ name });
  expect(await sites()).toEqual({
    sites: ['Äpfelhof', 'Birkenhof', 'haus 2', 'Haus 10', 'Zelt'].map((name) => ({
      id: expect.any(Number),
      name,
    })),
  });
});

test('sites of the same name are all listed, by id', async () => {
  const ids = [await api.addSite({ name: 'Haus' }), await api.addSite({ name: 'Haus' })];
  expect(await sites()).toEqual({ sites: ids.map((id) => ({ id, name: 'Haus' })) });
});

test('without a site the list is empty', async () => {
  expect(await sites()).toEqual({ sites: [] });
});

test('a site that is deactivated, or activated again, leaves and joins the list at once', async () => {
  const id = await api.addSite({ name: 'Haus' });
  const { sites: table } = api.tables;
  await table.change(id, { active: false });
  expect(await sites()).toEqual({ sites: [] });
  await table.change(id, { active: true });
  expect(await sites()).toEqual({ sites: [{ id, name: 'Haus' }] });
});

test('id is what requests call site_id [site-id-and-name]', async () => {
  await api.addSite({ name: 'Haus' });
  const list = (await sites()) as { sites: { id: number; name: string }[] };
  const { body } = await api.createVoucher({ site_id: list.sites[0]!.id, name: 'x' });
  expect(body).toMatchObject({ success: true, site: 'Haus' });
});

test('GET /sites.php requires scope read, and write includes read [listSites-scope key-write-includes-read]', async () => {
  for (const scope of ['read', 'write'] as const) {
    const { status } = await api.get('/sites.php', { key: await api.addKey({ scope }) });
    expect(status).toBe(200);
  }
});

test('only the client itself may keep the list, and asks before it uses it again', async () => {
  const { headers } = await api.get('/sites.php', { key: api.key });
  expect(headers['cache-control']).toBe('private, no-cache');
});
