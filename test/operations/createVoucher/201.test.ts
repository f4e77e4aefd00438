import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { controllerOf, controllerVouchers, rowsOf } from '../../support/serviceInternals.js';

const clock = makeClock();

const api = withApi({ system: { now: clock.now }, perTest: 'site' });

const onController = async (): Promise<Record<string, unknown>> =>
  (await controllerVouchers(api, api.siteId)).at(-1)!;
const recorded = async (): Promise<Record<string, unknown>> => (await rowsOf(api, 'vouchers')).at(-1)!;

test('the response 201 has success, code, formatted_code, site, max_uses and expire_minutes [createVoucher-201 site-name-answered]', async () => {
  const { status, headers, body } = await api.createVoucher();
  expect(status).toBe(201);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(body).toEqual({
    success: true,
    code: expect.stringMatching(/^\d{10}$/),
    formatted_code: expect.stringMatching(/^\d{5}-\d{5}$/),
    site: 'Hauptgebäude',
    max_uses: 1,
    expire_minutes: 480,
  });
});

test('formatted_code is the code in blocks of five joined by - [createVoucher-formatted-code]', async () => {
  const { code, formatted_code } = (await api.createVoucher()).body as {
    code: string;
    formatted_code: string;
  };
  expect(formatted_code).toBe(`${code.slice(0, 5)}-${code.slice(5)}`);
});

test("the voucher is created on the site's controller under <YYYY-MM-DD>_<name>, with max_uses, expire_minutes and qos [createVoucher-controller-gets-all voucher-name-dated order-name-trimmed site-own-controller]", async () => {
  const other = await api.addSite({ name: 'Nebengebäude' });
  await api.createVoucher({ site_id: other, name: 'x' });
  const qos = { down: 20_000, up: 5000, quota_mb: 2048 };
  const { body } = await api.createVoucher({
    name: ' Familie Berger ',
    max_uses: 2,
    expire_minutes: 1440,
    qos,
  });
  expect(await controllerVouchers(api, api.siteId)).toMatchObject([
    {
      code: (body as { code: string }).code,
      name: `${new Date(clock.now()).toLocaleDateString('sv')}_Familie Berger`,
      max_uses: 2,
      expire_minutes: 1440,
      ...qos,
    },
  ]);
});

test("the voucher is recorded with site, code, stored name, limits and the controller's voucher id, without a user [createVoucher-recorded voucher-of-no-user]", async () => {
  const { body } = await api.createVoucher({ max_uses: 2, expire_minutes: 1440 });
  expect(await recorded()).toMatchObject({
    site_id: api.siteId,
    code: (body as { code: string }).code,
    name: `${new Date(clock.now()).toLocaleDateString('sv')}_Familie Berger`,
    max_uses: 2,
    expire_minutes: 1440,
    controller_id: await controllerOf(api, api.siteId),
    controller_voucher_id: (await onController())['id'],
    user_id: null,
    created_at: clock.now(),
  });
});

test('a list read that begins after the 201 contains the voucher', async () => {
  const { body } = await api.createVoucher();
  const list = await api.listVouchers();
  expect(list.body).toMatchObject({ vouchers: [{ voucher_code: (body as { code: string }).code }] });
});

test.each([
  [undefined, 1],
  [3, 3],
  [1, 1],
  [0, 1],
  [-5, 1],
  ['x', 1],
  [null, 1],
  [2_147_483_647, 2_147_483_647],
  [2_147_483_648, 2_147_483_647],
  [1e300, 2_147_483_647],
])(
  'max_uses %p becomes %d: default 1, a value below 1 is replaced by 1 [order-max-uses-default order-max-uses-minimum integer-upper-bound integer-effective-answered]',
  async (max_uses, effective) => {
    expect((await api.createVoucher({ max_uses })).body).toMatchObject({ max_uses: effective });
    expect(await onController()).toMatchObject({ max_uses: effective });
    expect(await recorded()).toMatchObject({ max_uses: effective });
  },
);

test.each([
  [undefined, 480],
  [60, 60],
  [1, 1],
  [0, 480],
  [-5, 480],
  ['x', 480],
  [null, 480],
  [2_147_483_648, 2_147_483_647],
])(
  'expire_minutes %p becomes %d: default 480, a value below 1 is replaced by 480 [order-expire-minutes-default order-expire-minutes-minimum integer-upper-bound]',
  async (expire_minutes, effective) => {
    expect((await api.createVoucher({ expire_minutes })).body).toMatchObject({ expire_minutes: effective });
    expect(await onController()).toMatchObject({ expire_minutes: effective });
    expect(await recorded()).toMatchObject({ expire_minutes: effective });
  },
);

const none = { down: 0, up: 0, quota_mb: 0 };

test.each<[string, unknown, typeof none]>([
  ['absent means all three limits 0', undefined, none],
  ['an empty object means all three limits 0', {}, none],
  ['an absent value means 0', { up: 5 }, { down: 0, up: 5, quota_mb: 0 }],
  ['negative values become 0', { down: -1, up: -0.5, quota_mb: '-7' }, none],
  [
    'values are converted to integers',
    { down: '20.9', up: true, quota_mb: 1.9 },
    { down: 20, up: 1, quota_mb: 1 },
  ],
  ['what is no number is 0', { down: 'x', up: null, quota_mb: [1] }, none],
  [
    'values above 2,147,483,647 become 2,147,483,647',
    { down: 2_147_483_648, up: 1e300, quota_mb: '9e99' },
    { down: 2_147_483_647, up: 2_147_483_647, quota_mb: 2_147_483_647 },
  ],
  ['a text is treated as absent', 'down', none],
  ['null is treated as absent', null, none],
  ['an array is treated as absent', [{ down: 5 }], none],
  ['a number is treated as absent', 5, none],
])(
  'qos: %s [order-qos-absent order-qos-no-object order-qos-value-absent order-qos-value-negative order-qos-value-integer order-qos-to-controller order-qos-not-answered]',
  async (_, qos, effective) => {
    const { status, text } = await api.createVoucher({ qos });
    expect(status).toBe(201);
    expect(await onController()).toMatchObject(effective);
    // They are not echoed in the response.
    expect(text).not.toMatch(/qos|down|"up"|quota/);
  },
);

test('unknown fields are ignored, of the order and of qos [order-fields-unknown]', async () => {
  const answer = await api.createVoucher({
    user_id: 7,
    code: '1',
    status: 'used',
    qos: { up: 1, sideways: 2 },
  });
  expect(answer.status).toBe(201);
  expect(await recorded()).toMatchObject({ user_id: null, status: 'valid' });
  expect((await recorded())['code']).not.toBe('1');
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml; charset=x', ''])(
  'the body is read as JSON whatever Content-Type says (%p) [order-body-any-type]',
  async (type) => {
    const body = JSON.stringify({ site_id: api.siteId, name: 'x' });
    const { status } = await api.post('/vouchers.php', body, {
      key: api.key,
      headers: { 'Content-Type': type },
    });
    expect(status).toBe(201);
  },
);

test('a body that is sent in chunks is read', async () => {
  const headers = { 'Transfer-Encoding': 'chunked', 'Content-Length': [] };
  const { status } = await api.createVoucher({ name: 'x' }, { headers });
  expect(status).toBe(201);
});

test('two equal orders without an Idempotency-Key make two vouchers [idempotency-key-optional]', async () => {
  const codes = [await api.createVoucher(), await api.createVoucher()].map(
    ({ body }) => (body as { code: string }).code,
  );
  expect(new Set(codes).size).toBe(2);
  expect(await controllerVouchers(api, api.siteId)).toHaveLength(2);
});

test.each(['!', '~'.repeat(255)])(
  'an Idempotency-Key has 1 to 255 visible characters; a replay counts against the rate limit (%s) [idempotency-key-format idempotency-replay-counted]',
  async (idempotencyKey) => {
    const limited = await api.addKey({ rateLimit: 2 });
    const options = { key: limited, headers: { 'Idempotency-Key': idempotencyKey } };
    const order = { site_id: api.siteId, name: 'x' };
    const first = await api.post('/vouchers.php', order, options);
    const second = await api.post('/vouchers.php', order, options);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second).toMatchObject({ status: 201, text: first.text });
    expect(second.headers).toMatchObject({ 'idempotency-replayed': 'true', 'ratelimit-remaining': '0' });
    expect((await api.post('/vouchers.php', order, options)).status).toBe(429);
  },
);
