import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { changedContract } from '../support/contract.js';
import { nameRequired, refusal, siteIdRequired } from '../support/refusal.js';
import { startService } from '../support/service.js';
import { signInFirst } from '../support/web.js';

const badKey = { 'Idempotency-Key': 'a b' };

const api = withApi();

test('the first failing field, in the order of the contract, decides the message', async () => {
  const post = (body: object) => api.post('/vouchers.php', body, { key: api.key, headers: badKey });
  expect(await post({ name: '' })).toMatchObject(siteIdRequired);
  expect(await post({ site_id: 1, name: '' })).toMatchObject(nameRequired);
  expect(await post({ site_id: 1, name: 'x' })).toMatchObject(
    refusal(400, 'invalid_request', 'Idempotency-Key muss aus 1 bis 255 sichtbaren Zeichen bestehen'),
  );
});

test('fields of items of a list have the order of the contract, too', async () => {
  const admin = await signInFirst(api);
  const added = await admin.post('/controllers', { name: 'Zentrale', kind: 'simulated' });
  const path = `/controllers/${String((added.body as { id: number }).id)}/sites`;
  const messageFor = async (sites: object[]) => (await admin.post(path, { sites })).body;
  expect(await messageFor([{ name: '' }])).toMatchObject({ message: 'name-invalid' });
  expect(await messageFor([{ name: 'x' }])).toMatchObject({ message: 'controller-site-invalid' });
  expect(await messageFor([{ name: 'x' }, { name: '', controllerSite: null }])).toMatchObject({
    message: 'name-invalid',
  });
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
