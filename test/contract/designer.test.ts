import { afterEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { changedContract } from '../support/contract.js';
import { refusal } from '../support/refusal.js';
import { startService, type Answer, type TestService } from '../support/service.js';

let service: TestService;
let key: string;
let siteId: number;
let removeContract: () => void;

/** A service whose designer has changed the contract, and nothing else. */
const startWith = async (...changes: [from: string, to: string][]): Promise<void> => {
  const contract = changedContract(...changes);
  removeContract = contract.remove;
  service = await startService({ contractFile: contract.file });
  key = await service.addKey();
  siteId = await service.addSite();
};
afterEach(async () => {
  await service.stop();
  removeContract();
});

const create = (values: object = {}): Promise<Answer> =>
  service.post('/vouchers.php', { site_id: siteId, name: 'x', ...values }, { key });
const orderIn = async (path: string): Promise<unknown> => {
  const { text } = await service.get(path);
  return (parse(text) as { components: { schemas: { VoucherOrder: unknown } } }).components.schemas
    .VoucherOrder;
};

test('changing a default changes behaviour and description', async () => {
  await startWith(['default: 1\n', 'default: 3\n'], ['default: 480\n', 'default: 60\n']);
  expect((await create()).body).toMatchObject({ max_uses: 3, expire_minutes: 60 });
  expect((await create({ max_uses: 0, expire_minutes: -1 })).body).toMatchObject({
    max_uses: 3,
    expire_minutes: 60,
  });
  for (const path of ['/openapi.php', '/openapi.yaml']) {
    expect(await orderIn(path)).toMatchObject({
      properties: { max_uses: { default: 3 }, expire_minutes: { default: 60 } },
    });
  }
});

test('changing a bound changes behaviour and description', async () => {
  await startWith(['maxLength: 255', 'maxLength: 5'], ['maximum: 2147483647', 'maximum: 9']);
  expect((await create({ name: 'abcde', max_uses: 10 })).body).toMatchObject({ max_uses: 9 });
  expect((await create({ name: 'abcdef' })).status).toBe(400);
  for (const path of ['/openapi.php', '/openapi.yaml']) {
    expect(await orderIn(path)).toMatchObject({ properties: { name: { maxLength: 5 } } });
  }
});

test("changing a field's message changes what a client reads, and the contract that is served", async () => {
  await startWith(
    ['otherwise: name erforderlich', 'otherwise: Bitte einen Namen angeben'],
    ['x-message: site_id erforderlich', 'x-message: In der Abfrage fehlt site_id'],
  );
  expect(await create({ name: '' })).toMatchObject(
    refusal(400, 'invalid_request', 'Bitte einen Namen angeben'),
  );
  expect(await service.get('/vouchers.php', { key })).toMatchObject(
    refusal(400, 'invalid_request', 'In der Abfrage fehlt site_id'),
  );
  expect((await service.get('/openapi.yaml')).text).toContain('Bitte einen Namen angeben');
});

test("changing an answer's message changes what a client reads, and the description", async () => {
  const text = 'Kein gültiger Schlüssel';
  await startWith(
    ['x-message: API-Schlüssel fehlt oder ist ungültig', `x-message: ${text}`],
    ['message: API-Schlüssel fehlt oder ist ungültig }', `message: ${text} }`],
    ['x-message: Site nicht gefunden', 'x-message: Unbekannter Standort'],
  );
  expect(await service.get('/sites.php')).toMatchObject(refusal(401, 'unauthorized', text));
  expect(await create({ site_id: 999 })).toMatchObject(refusal(404, 'not_found', 'Unbekannter Standort'));
  for (const path of ['/openapi.php', '/openapi.yaml'])
    expect((await service.get(path)).text).toContain(text);
});

test('changing a scope from write to read lets a key with scope read create', async () => {
  await startWith(['x-scope: write', 'x-scope: read']);
  key = await service.addKey({ scope: 'read' });
  expect((await create()).status).toBe(201);
  expect((await service.get('/openapi.yaml')).text).not.toContain('x-scope: write');
});

test('changing a scope from read to write refuses a key with scope read with 403', async () => {
  await startWith(['x-scope: read', 'x-scope: write']);
  const forbidden = refusal(403, 'forbidden', 'Dem API-Schlüssel fehlt der Scope write');
  key = await service.addKey({ scope: 'read' });
  expect(await service.get('/sites.php', { key })).toMatchObject(forbidden);
  expect((await service.get('/vouchers.php?site_id=1', { key })).status).toBe(200);
});

test('changing which statuses are described changes the description', async () => {
  await startWith(['x-described: [201, 401, 403, 429]', 'x-described: [201, 404]']);
  const { paths } = (await service.get('/openapi.php')).body as {
    paths: Record<string, { post: { responses: object } }>;
  };
  expect(Object.keys(paths['/vouchers.php']!.post.responses)).toEqual(['201', '404']);
});

test('changing title and version changes the description', async () => {
  await startWith(['title: Voucher API', 'title: Gutscheine'], ['version: 1.0.0', 'version: 1.1.0']);
  for (const path of ['/openapi.php', '/openapi.yaml']) {
    const { info } = parse((await service.get(path)).text) as { info: unknown };
    expect(info).toMatchObject({ title: 'Gutscheine', version: '1.1.0' });
  }
});
