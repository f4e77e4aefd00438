import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { hideTable } from '../../support/serviceInternals.js';
import { until } from '../../support/until.js';

const api = withApi();

/** Asks until the answer contains the text: /readyz gives the database a second, too little for a busy machine. */
const untilReadyz = (text: string): Promise<number> =>
  until(`/readyz says ${text}`, async () => {
    const answer = await api.get('/readyz');
    return answer.text.includes(text) && answer.status;
  });

test('GET /healthz says that the service is alive', async () => {
  expect(await api.get('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
});

test('GET /readyz says that the database is reachable and migrations are done', async () => {
  expect(await untilReadyz('{"status":"ready"}')).toBe(200);
});

test('while a migration is missing, /readyz gives 503 and says which; /healthz stays 200', async () => {
  const { write } = api.database;
  const migrations = await write<{ name: string }>('migrations').where('name', '0001_initial');
  await write('migrations').where('name', '0001_initial').delete();
  expect(await untilReadyz('0001_initial')).toBe(503);
  expect((await api.get('/healthz')).status).toBe(200);
  await write('migrations').insert(migrations);
  expect(await untilReadyz('{"status":"ready"}')).toBe(200);
});

test('while the database can not be read, /readyz gives 503', async () => {
  const show = await hideTable(api, 'migrations');
  const { status } = await api.get('/readyz');
  await show();
  expect(status).toBe(503);
});

test('while the database can only be read, /readyz gives 503', async () => {
  const { write } = api.database;
  await write.raw('PRAGMA query_only = ON');
  expect(await untilReadyz('readonly')).toBe(503);
  await write.raw('PRAGMA query_only = OFF');
  expect(await untilReadyz('{"status":"ready"}')).toBe(200);
});
