import { copyFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { adding, findSite } from '../dev/developmentService.js';
import { withApi } from '../support/api.js';
import { changedContract } from '../support/contract.js';
import { refusal } from '../support/refusal.js';
import type { Answer } from '../support/service.js';
import { rowsOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';

/** The file that the service reads. */
let contract: ReturnType<typeof changedContract>;

const api = withApi({
  beforeStart: () => {
    contract = changedContract();
    return { contractFile: contract.file };
  },
  afterStop: () => contract.remove(),
});
afterEach(async () => {
  save();
  await api.app.reload();
});

const saying = (message: string): [string, string] => [
  'x-message: site_id erforderlich',
  `x-message: ${message}`,
];

/** Writes another contract into the file that the service reads. */
const save = (...changes: [from: string, to: string][]): void => {
  const next = changedContract(...changes);
  copyFileSync(next.file, contract.file);
  next.remove();
};

const wrong = (): Promise<Answer> => api.get('/vouchers.php', { key: api.key });
const said = (message: string) => refusal(400, 'invalid_request', message);

test('a contract that is loaded changes what is answered and what is described', async () => {
  const before = await api.get('/openapi.yaml');
  save(saying('Welche Site?'), ['title: Voucher API', 'title: Gutscheine']);
  expect(await wrong()).toMatchObject(said('site_id erforderlich'));
  const reloaded = await api.app.reload();
  expect(reloaded).toEqual({ added: [], removed: [], changed: ['listVouchers'], mocked: [] });
  expect(await wrong()).toMatchObject(said('Welche Site?'));
  const after = await api.get('/openapi.yaml', { headers: { 'If-None-Match': before.headers.etag! } });
  expect(after.status).toBe(200);
  expect(after.text).toContain('Welche Site?');
  expect((await api.get('/openapi.php')).body).toMatchObject({ info: { title: 'Gutscheine' } });
});

test('another file, or a contract that is loaded already, can be served too', async () => {
  const other = changedContract(saying('Aus einer anderen Datei'));
  await api.app.reload(other.file);
  other.remove();
  expect(await wrong()).toMatchObject(said('Aus einer anderen Datei'));
  const { text } = await api.get('/openapi.yaml');
  await api.app.reload(parseContract(text.replaceAll('Aus einer anderen Datei', 'Aus dem Speicher')));
  expect(await wrong()).toMatchObject(said('Aus dem Speicher'));
});

test('a path that is added is found, and one that is gone is not', async () => {
  save(['  /sites.php:\n', '  /places.php:\n']);
  await api.app.reload();
  expect((await api.get('/places.php', { key: api.key })).status).toBe(200);
  expect((await api.get('/sites.php', { key: api.key })).status).toBe(404);
});

test('a request in flight ends with the contract that it began with', async () => {
  const [slow, quick] = [await api.addSite({ latencyMs: 3000 }), await api.addSite()];
  const create = (site_id: number) => api.post('/vouchers.php', { site_id, name: 'x' }, { key: api.key });
  const inFlight = create(slow);
  await until('its intent is written, or it is done already', async () => {
    const rows = [...(await rowsOf(api, 'intents')), ...(await rowsOf(api, 'vouchers'))];
    return rows.some((row) => row['site_id'] === slow);
  });
  save(['formatted_code: { type: string', 'formatted_code: { type: integer']);
  await api.app.reload();
  expect(await create(quick)).toMatchObject({ status: 500 });
  expect((await inFlight).status).toBe(201);
});

test.each([
  ['no YAML', ['tags: [sites]', 'tags: [sites'], /^.+:\d+:\d+: /],
  ['no contract', ['x-scope: read', 'x-scope: none'], /x-scope is "none"/],
  ['an operation without a handler', adding(findSite), /findSite has no handler/],
  ['a schema that can not be compiled', ['maxLength: 255', 'maxLength: many'], /createVoucher: .*maxLength/],
] as [string, [string, string], RegExp][])(
  'a contract that can not be loaded throws and leaves the last one serving: %s',
  async (_, change, message) => {
    const before = await api.get('/openapi.yaml');
    save(change, saying('Welche Site?'));
    await expect(api.app.reload()).rejects.toThrow(message);
    expect(await wrong()).toMatchObject(said('site_id erforderlich'));
    expect((await api.get('/openapi.yaml')).text).toBe(before.text);
    save(saying('Wieder gut'));
    await api.app.reload();
    expect(await wrong()).toMatchObject(said('Wieder gut'));
  },
);

test('of several that are loaded at the same time the last one stays', async () => {
  const source = (await api.get('/openapi.yaml')).text;
  const texts = Array.from({ length: 4 }, (_, index) => `Meldung ${index}`);
  await Promise.all(
    texts.map((text) => api.app.reload(parseContract(source.replaceAll('site_id erforderlich', text)))),
  );
  expect(await wrong()).toMatchObject(said('Meldung 3'));
});
