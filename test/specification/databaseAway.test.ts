import { expect, test } from '@jest/globals';
import { startSilencingProxy, type SilencingProxy } from '../../simulators/silencingProxy.js';
import { withApi } from '../support/api.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { refusal } from '../support/refusal.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let proxy: SilencingProxy;
const api = withApi({
  beforeStart: async () => {
    own = await makePostgresDatabase();
    proxy = await startSilencingProxy(own.url);
    return { env: { DATABASE_URL: proxy.through(own.url), DATABASE_TIMEOUT_S: '2' } };
  },
  afterStop: async () => {
    await proxy.close();
    await own.drop();
  },
});

const refusals = async (): Promise<number> =>
  Number(
    /overload_refusals_total\{reason="database"\} (\d+)/.exec((await api.get('/metrics')).text)?.[1] ?? 0,
  );

test('while the database is known not to answer, requests are refused at once with 503 [error-503-database]', async () => {
  expect((await api.createVoucher()).status).toBe(201);
  proxy.silence();
  const isKnown = async () => (await api.listVouchers()).status === 503 && (await refusals()) > 0;
  await until('it is known', isKnown, 60_000);
  const before = await refusals();
  const answers = [
    await api.createVoucher(),
    await api.listVouchers(),
    await api.get('/sites.php', { key: api.key }),
  ];
  for (const answer of answers) {
    const text = 'Der Dienst ist überlastet oder nicht bereit, bitte in 1 s erneut versuchen';
    expect(answer).toMatchObject(refusal(503, 'unavailable', text));
    expect(answer.headers['retry-after']).toBe('1');
  }
  // None of them has waited for the database.
  expect((await refusals()) - before).toBe(3);
  proxy.resume();
  await until('it answers again', async () => (await api.listVouchers()).status === 200);
  expect((await api.listVouchers()).body).toMatchObject({ vouchers: [{ voucher_name: expect.any(String) }] });
});
