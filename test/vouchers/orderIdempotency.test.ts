import { afterAll, describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { changedContract } from '../support/contract.js';
import type { Answer, StartOptions } from '../support/service.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { until } from '../support/until.js';

const clock = makeClock();
const api = withApi({ system: clock, env: { CONTROLLER_DEADLINE_S: '600' } });
/** For orders that only the deadline ends, which is long enough to write them down on a busy machine. */
const withDeadline = async (work: () => Promise<void>): Promise<void> => {
  await restart({ env: { CONTROLLER_DEADLINE_S: '3' } });
  await work();
  await restart();
};
const restart = (options?: StartOptions): Promise<void> => {
  clock.advance(1);
  return api.restart(options);
};

let keys = 0;
const newIdempotencyKey = (): string => `bestellung-${++keys}`;
const order = (siteId: number, idempotencyKey: string, body = {}, key = api.key): Promise<Answer> =>
  api.createVoucher(
    { site_id: siteId, name: 'Berger', ...body },
    { key, headers: { 'Idempotency-Key': idempotencyKey } },
  );
const replayed = ({ headers }: Answer) => headers['idempotency-replayed'];

test('same key, same body: the first answer again, marked as such, and no second voucher [idempotency-replay]', async () => {
  const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
  const first = await order(siteId, name);
  const second = await order(siteId, name);
  expect([first.status, replayed(first)]).toEqual([201, undefined]);
  expect([second.status, replayed(second)]).toEqual([201, 'true']);
  expect(second.text).toBe(first.text);
  expect(await controllerVouchers(api, siteId)).toHaveLength(1);
});

test('a replay survives a restart', async () => {
  const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
  const first = await order(siteId, name);
  await restart();
  const second = await order(siteId, name);
  expect([second.status, replayed(second), second.text]).toEqual([201, 'true', first.text]);
});

test('a replay is answered although the site no longer receives vouchers', async () => {
  const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
  const first = await order(siteId, name);
  await api.tables.sites.change(siteId, { active: false });
  const second = await order(siteId, name);
  expect([second.status, second.text]).toEqual([201, first.text]);
});

test('the same key with another body gives 422 idempotency_mismatch [idempotency-mismatch]', async () => {
  const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
  await order(siteId, name);
  const other = await order(siteId, name, { max_uses: 2 });
  expect(other).toMatchObject({ status: 422, body: { error: 'idempotency_mismatch' } });
});

describe('changing a default of the contract', () => {
  const contract = changedContract(
    ['default: 1\n', 'default: 3\n'],
    ['default: 480\n', 'default: 60\n'],
    ['default: { down: 0, up: 0, quota_mb: 0 }', 'default: { down: 9, up: 9, quota_mb: 9 }'],
  );
  afterAll(() => contract.remove());

  test('does not make another order of one that is repeated', async () => {
    const siteId = await api.addSite();
    const bodies = [
      {},
      { max_uses: 0, expire_minutes: -7 },
      { max_uses: '2', expire_minutes: '90min' },
      { qos: 'none' },
      { qos: { down: -1 } },
    ];
    const keyed = bodies.map((body) => ({ body, name: newIdempotencyKey() }));
    const first = [];
    for (const { body, name } of keyed) first.push(await order(siteId, name, body));
    await restart({ contractFile: contract.file });
    const again = [];
    for (const { body, name } of keyed) again.push(await order(siteId, name, body));
    const other = await order(siteId, keyed[0]!.name, { max_uses: 3 });
    await restart();
    expect(again.map(({ status, text }) => [status, text])).toEqual(first.map(({ text }) => [201, text]));
    expect(again.map(replayed)).toEqual(bodies.map(() => 'true'));
    expect(other.status).toBe(422);
    expect(await controllerVouchers(api, siteId)).toHaveLength(bodies.length);
  });

  test('a body that is written in another way is converted before it is compared', async () => {
    const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
    const first = await order(siteId, name, { max_uses: '2 Geräte', qos: { up: 5, down: 7 }, unknown: 1 });
    await restart({ contractFile: contract.file });
    const again = await order(siteId, name, { qos: { down: 7.5, up: '5' }, max_uses: 2 });
    await restart();
    expect([again.status, replayed(again), again.text]).toEqual([201, 'true', first.text]);
  });
});

test('in progress: 409 idempotency_in_progress with Retry-After', () =>
  withDeadline(async () => {
    const [siteId, name] = [await api.addSite({ latencyMs: 60_000 }), newIdempotencyKey()];
    const first = order(siteId, name);
    await until('the first order is under way', async () =>
      (await api.tables.intents.all()).some((intent) => intent.siteId === siteId),
    );
    const second = await order(siteId, name);
    expect(second).toMatchObject({ status: 409, body: { error: 'idempotency_in_progress' } });
    expect(Number(second.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await first).status).toBe(500);
  }));

test('its outcome still unknown: 409 idempotency_in_progress with Retry-After', () =>
  withDeadline(async () => {
    const [siteId, name] = [await api.addSite({ fault: 'lost-answer' }), newIdempotencyKey()];
    expect((await order(siteId, name)).status).toBe(500);
    const second = await order(siteId, name);
    expect(second).toMatchObject({ status: 409, body: { error: 'idempotency_in_progress' } });
    expect(Number(second.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await controllerVouchers(api, siteId)).toHaveLength(1);
  }));

test('of many requests with one key at once one makes a voucher, and none makes a second', async () => {
  const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
  const answers = await Promise.all(Array.from({ length: 20 }, () => order(siteId, name)));
  const fresh = answers.filter((answer) => answer.status === 201 && replayed(answer) === undefined);
  expect(fresh).toHaveLength(1);
  const others = answers.filter((answer) => answer !== fresh[0]);
  for (const other of others) {
    if (other.status === 201) expect(other.text).toBe(fresh[0]!.text);
    else expect(other).toMatchObject({ status: 409, body: { error: 'idempotency_in_progress' } });
  }
  expect(await controllerVouchers(api, siteId)).toHaveLength(1);
});

test.each(['refuse', 'no-voucher', 'no-code'])(
  'after an answer without a voucher (%s) the key is free again [idempotency-free-without-voucher]',
  async (fault) => {
    const [broken, good, name] = [await api.addSite({ fault }), await api.addSite(), newIdempotencyKey()];
    expect((await order(broken, name)).status).toBeGreaterThanOrEqual(500);
    const answer = await order(good, name);
    expect([answer.status, replayed(answer)]).toEqual([201, undefined]);
  },
);

test('after 404 and 400 the key is free', async () => {
  const name = newIdempotencyKey();
  expect((await order(2_000_000_000, name)).status).toBe(404);
  expect((await order(2_000_000_000, name, { name: '' })).status).toBe(400);
  expect((await order(await api.addSite(), name)).status).toBe(201);
});

test('an idempotency key belongs to one API key [idempotency-per-key]', async () => {
  const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
  const first = await order(siteId, name);
  const other = await order(siteId, name, {}, await api.addKey());
  expect([other.status, replayed(other)]).toEqual([201, undefined]);
  expect(other.text).not.toBe(first.text);
});

test('a key is kept 24 hours [idempotency-24-hours]', async () => {
  const [siteId, name] = [await api.addSite(), newIdempotencyKey()];
  const first = await order(siteId, name);
  clock.advance(24 * 3_600_000 - 1);
  expect((await order(siteId, name)).text).toBe(first.text);
  clock.advance(1);
  const later = await order(siteId, name, { max_uses: 5 });
  expect([later.status, replayed(later)]).toEqual([201, undefined]);
});
