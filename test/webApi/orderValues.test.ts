import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { rowsOf } from '../support/serviceInternals.js';
import { limits, place, placed, withOrders } from './ordersFixture.js';

const { api } = withOrders();

describe('an order with', () => {
  const stored = (): Promise<unknown> =>
    Promise.all(['orders', 'intents', 'vouchers'].map((table) => rowsOf(api, table)));

  test.each([
    ['neither a profile nor limits', { limits: null }, 400, 'limits-required'],
    ['a profile and limits', { profileId: 1 }, 400, 'limits-required'],
    ['a profile that does not exist', { limits: null, profileId: 999 }, 409, 'unknown-profile'],
    ['no voucher', { count: 0 }, 400, 'count-invalid'],
    ['more than 500 vouchers', { count: 501 }, 400, 'count-invalid'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 400, 'name-invalid'],
    ['a name that nobody sees', { name: '\u200B\u2800\u3164' }, 400, 'name-invalid'],
    ['a line break in its name', { name: 'a\nb' }, 400, 'name-invalid'],
    ['a character that turns the direction of reading', { name: 'a\u202Eb' }, 400, 'name-invalid'],
    ['no uses', { limits: { ...limits, maxUses: 0 } }, 400, 'number-invalid'],
    ['a body that is too large', { name: 'x'.repeat(600_000) }, 413, undefined],
  ])('%s is refused, and nothing is made or stored', async (_, values, status, message) => {
    const siteId = await api.addSite();
    const before = await stored();
    const answer = await place(api.admin, randomUUID(), { siteId, ...values });
    expect(answer.status).toBe(status);
    if (message !== undefined) expect(answer.body).toMatchObject({ message });
    expect(await stored()).toEqual(before);
  });

  test.each(['<script>alert(1)</script>', '=1+1', "'; drop table orders; --", '„Größe“ 🎉', ''])(
    'the name %j is stored as it is',
    async (name) => {
      const siteId = await api.addSite();
      const order = await placed(api.admin, { siteId, name });
      expect(order).toMatchObject({ name, state: 'made' });
      expect(order.vouchers[0]?.name).toBe(`2026-11-14_${name}`);
    },
  );
});
