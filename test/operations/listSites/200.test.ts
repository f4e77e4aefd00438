import { beforeEach, expect, test } from '@jest/globals';
import { withServicePerTest } from '../../support/service.js';

const service = withServicePerTest();
let key: string;

beforeEach(async () => {
  key = await service.addKey({ scope: 'read' });
});

const sites = async (): Promise<unknown> => (await service.get('/sites.php', { key })).body;

test('GET /sites.php lists the active sites', async () => {
  const id = await service.addSite({ name: 'Hauptgebäude' });
  await service.addSite({ name: 'Abgerissen', active: false });
  const { status, headers, text } = await service.get('/sites.php', { key });
  expect(status).toBe(200);
  expect(text).toBe(`{"sites":[{"id":${id},"name":"Hauptgebäude"}]}`);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers.etag).toMatch(/^"[^"]+"$/);
});

test('sites are listed by name', async () => {
  for (const name of ['Zelt', 'Haus 10', 'Äpfelhof', 'haus 2', 'Birkenhof']) await service.addSite({ name });
  expect(await sites()).toEqual({
    sites: ['Äpfelhof', 'Birkenhof', 'haus 2', 'Haus 10', 'Zelt'].map((name) => ({
      id: expect.any(Number),
      name,
    })),
  });
});

test('sites of the same name are all listed, by id', async () => {
  const ids = [await service.addSite({ name: 'Haus' }), await service.addSite({ name: 'Haus' })];
  expect(await sites()).toEqual({ sites: ids.map((id) => ({ id, name: 'Haus' })) });
});

test('without a site the list is empty', async () => {
  expect(await sites()).toEqual({ sites: [] });
});

test('a site that is deactivated, or activated again, leaves and joins the list at once', async () => {
  const id = await service.addSite({ name: 'Haus' });
  const { sites: table } = service.service.tables;
  await table.change(id, { active: false });
  expect(await sites()).toEqual({ sites: [] });
  await table.change(id, { active: true });
  expect(await sites()).toEqual({ sites: [{ id, name: 'Haus' }] });
});

test('id is what requests call site_id', async () => {
  await service.addSite({ name: 'Haus' });
  const list = (await sites()) as { sites: { id: number; name: string }[] };
  const writeKey = await service.addKey();
  const { body } = await service.post(
    '/vouchers.php',
    { site_id: list.sites[0]!.id, name: 'x' },
    { key: writeKey },
  );
  expect(body).toMatchObject({ success: true, site: 'Haus' });
});

test('GET /sites.php requires scope read, and write includes read', async () => {
  for (const scope of ['read', 'write'] as const) {
    const { status } = await service.get('/sites.php', { key: await service.addKey({ scope }) });
    expect(status).toBe(200);
  }
});

test('only the client itself may keep the list, and asks before it uses it again', async () => {
  const { headers } = await service.get('/sites.php', { key });
  expect(headers['cache-control']).toBe('private, no-cache');
});
