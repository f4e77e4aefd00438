import { expect, test } from '@jest/globals';
import type { HttpAnswer } from '../../tools/contract/src/request.js';
import { BudgetSpent, makeBudget } from '../../tools/contract/src/target/budget.js';

const post = { method: 'POST', requestTarget: '/vouchers.php', headers: [] };
const get = { method: 'GET', requestTarget: '/sites.php', headers: [] };

/** A service that gives the same answers, one after the other, and again from the first. */
const makeService = (...answers: Partial<HttpAnswer>[]) => {
  let received = 0;
  const send = async (): Promise<HttpAnswer> => {
    const answer = answers[received % answers.length];
    received += 1;
    return { status: 201, headers: {}, text: '', body: { code: `code-${received}` }, ...answer };
  };
  return { send, received: () => received };
};

test('no more vouchers than allowed are made, however many requests are sent at once', async () => {
  const service = makeService({});
  const { budget, send } = makeBudget({ maxRequests: 100, maxVouchers: 2, mark: 'x' }, service.send);
  const sent = await Promise.allSettled([send(post), send(post), send(post), send(get), send(post)]);
  expect(sent.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ]);
  expect(budget.made()).toEqual(['code-1', 'code-2']);
  expect([budget.sent(), service.received()]).toEqual([3, 3]);
});

test('a request that makes no voucher takes none of them: one that is refused, and one that is repeated', async () => {
  const service = makeService({ status: 401 }, { headers: { 'idempotency-replayed': 'true' } }, {});
  const { budget, send } = makeBudget({ maxRequests: 100, maxVouchers: 1, mark: 'x' }, service.send);
  for (const _ of [1, 2, 3]) await send(post);
  expect(budget.made()).toEqual(['code-3']);
  await expect(send(post)).rejects.toThrow(new BudgetSpent('--max-vouchers 1 is used up'));
});

test('no more requests than allowed are sent', async () => {
  const service = makeService({ status: 200 });
  const { send } = makeBudget({ maxRequests: 2, maxVouchers: 9, mark: 'x' }, service.send);
  await send(get);
  await send(get);
  await expect(send(get)).rejects.toThrow(new BudgetSpent('--max-requests 2 is used up'));
  expect(service.received()).toBe(2);
});
