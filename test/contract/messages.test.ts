import { beforeAll, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { changedContract } from '../support/contract.js';
import { nameRequired, refusal, siteIdRequired } from '../support/refusal.js';
import { startService } from '../support/service.js';
import { signInFirst, type Browser } from '../support/web.js';

const orderPath = '/orders/5b0c2d7c-0c0c-4f0c-8c0c-0c0c0c0c0c0c';
const badKey = { 'Idempotency-Key': 'a b' };

const api = withApi();
let admin: Browser;

beforeAll(async () => {
  admin = await signInFirst(api);
});

test('the first failing field, in the order of the contract, decides the message', async () => {
  const post = (body: object) => api.post('/vouchers.php', body, { key: api.key, headers: badKey });
  expect(await post({ name: '' })).toMatchObject(siteIdRequired);
  expect(await post({ site_id: 1, name: '' })).toMatchObject(nameRequired);
  expect(await post({ site_id: 1, name: 'x' })).toMatchObject(
    refusal(400, 'invalid_request', 'Idempotency-Key muss aus 1 bis 255 sichtbaren Zeichen bestehen'),
  );
});

test('fields of items of a list have the order of the contract, too', async () => {
  const added = await admin.post('/controllers', { name: 'Zentrale', kind: 'simulated' });
  const path = `/controllers/${String((added.body as { id: number }).id)}/sites`;
  const messageFor = async (sites: object[]) => (await admin.post(path, { sites })).body;
  expect(await messageFor([{ name: '' }])).toMatchObject({ message: 'name-invalid' });
  expect(await messageFor([{ name: 'x' }])).toMatchObject({ message: 'controller-site-invalid' });
  expect(await messageFor([{ name: 'x' }, { name: '', controllerSite: null }])).toMatchObject({
    message: 'name-invalid',
  });
});

test('an item of a list counts where its list stands, and before fields that come later', async () => {
  const messageFor = async (order: object) => (await admin.put(orderPath, order)).body;
  const later = { limits: {} };
  expect(await messageFor({ names: [0], ...later })).toMatchObject({ message: 'site-required' });
  const first = { siteId: 1, count: 1 };
  expect(await messageFor({ ...first, names: [0], ...later })).toMatchObject({ message: 'names-invalid' });
  expect(await messageFor({ ...first, ...later })).toMatchObject({ message: 'number-invalid' });
});

test('a body that is nested as deep as its limit allows is refused by its first field', async () => {
  const depth = 15_000;
  for (const innermost of ['1', '"\\ud800"']) {
    const names = '['.repeat(depth) + innermost + ']'.repeat(depth);
    const body = `{"siteId":1,"count":1,"names":${names}}`;
    const answer = await admin.request('PUT', orderPath, { body });
    expect(answer).toMatchObject({ status: 400, body: { message: 'names-invalid' } });
  }
});

test('when the contract names name before site_id, the message of name comes first', async () => {
  const siteId = `        site_id:
          type: integer
          description: The site that gets the voucher
          minimum: 1
          x-lenient: true
          x-message: site_id erforderlich
`;
  const contract = changedContract([siteId, ''], ['        max_uses:\n', `${siteId}        max_uses:\n`]);
  const other = await startService({ contractFile: contract.file });
  const answer = await other.post('/vouchers.php', {}, { key: await other.addKey() });
  await other.stop();
  contract.remove();
  expect(answer).toMatchObject(nameRequired);
});
