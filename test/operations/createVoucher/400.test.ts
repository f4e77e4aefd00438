import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { nameRequired, refusal, siteIdRequired } from '../../support/refusal.js';
import type { Answer } from '../../support/service.js';
import { rowsOf } from '../../support/serviceInternals.js';

const api = withApi();

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  api.post('/vouchers.php', body, { key: api.key, headers });

test.each([undefined, null, 0, -1, 0.9, '', '0', 'abc', '12abc', false, [1], { id: 1 }])(
  'a site_id that is not greater than 0 gives 400 invalid_request "site_id erforderlich" (%p) [order-site-id-required createVoucher-site-id-400]',
  async (site_id) => {
    expect(await post({ site_id, name: 'Familie Berger' })).toMatchObject(siteIdRequired);
  },
);

test.each([undefined, null, '', ' ', '\t\r\n ', '\u0000', ' \u0000 ', true, false, [], ['x'], { x: 1 }])(
  'a name that is empty after trimming gives 400 invalid_request "name erforderlich" (%p) [order-name-required createVoucher-name-400 name-other-types-empty error-body]',
  async (name) => {
    expect(await post({ site_id: api.siteId, name })).toMatchObject(nameRequired);
  },
);

test('site_id is validated before name [createVoucher-site-id-before-name]', async () => {
  expect(await post({ site_id: 0, name: '' })).toMatchObject(siteIdRequired);
  expect(await post({ name: '', site_id: 0 })).toMatchObject(siteIdRequired);
});

test.each([
  ['ASCII', 'x'],
  ['code points beyond 16 bits', '😀'],
])(
  'a name longer than 255 characters gives 400 "name zu lang" (%s) [name-too-long messages-german]',
  async (_, character) => {
    expect(await post({ site_id: api.siteId, name: character.repeat(256) })).toMatchObject(
      refusal(400, 'invalid_request', 'name zu lang (höchstens 255 Zeichen)'),
    );
  },
);

test.each(['', ' ', '{', '{"site_id":1,"name":"x"', "{'site_id':1}", 'site_id=1&name=x', 'undefined'])(
  'an empty or malformed body counts as an object without fields: 400 "site_id erforderlich" (%p) [order-body-unreadable]',
  async (body) => {
    expect(await post(body)).toMatchObject(siteIdRequired);
  },
);

test('no body at all gives 400 "site_id erforderlich"', async () => {
  expect(await api.request('POST', '/vouchers.php', { key: api.key })).toMatchObject(siteIdRequired);
});

test.each(['null', 'true', '5', '"x"', '[]', '[{"site_id":1,"name":"x"}]'])(
  'a body that is not an object counts as one without fields: 400 "site_id erforderlich" (%s) [order-body-unreadable]',
  async (body) => {
    expect(await post(body)).toMatchObject(siteIdRequired);
  },
);

test('fields are read from the body, not from the query', async () => {
  const answer = await api.post(`/vouchers.php?site_id=${api.siteId}&name=x`, {}, { key: api.key });
  expect(answer).toMatchObject(siteIdRequired);
});

test.each(['', ' ', 'x'.repeat(256), 'a b', 'tab\there', 'schlüssel'])(
  'an Idempotency-Key that is not 1 to 255 visible characters gives 400 (%p) [idempotency-key-format]',
  async (idempotencyKey) => {
    expect(
      await post({ site_id: api.siteId, name: 'x' }, { 'Idempotency-Key': idempotencyKey }),
    ).toMatchObject(
      refusal(400, 'invalid_request', 'Idempotency-Key muss aus 1 bis 255 sichtbaren Zeichen bestehen'),
    );
  },
);

test('none of these orders made a voucher', async () => {
  expect(await rowsOf(api, 'vouchers')).toEqual([]);
});
