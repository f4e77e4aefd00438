import { describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import type { Answer } from '../support/service.js';
import { hideTable } from '../support/serviceInternals.js';
import { until } from '../support/until.js';

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
  const migrations = await write<{ name: string }>('migrations').where('name', '0001_schema');
  await write('migrations').where('name', '0001_schema').delete();
  expect(await untilReadyz('0001_schema')).toBe(503);
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

describe('GET /readyz?verbose', () => {
  interface Checked {
    readonly check: string;
    readonly subject?: string;
    readonly status: string;
  }
  /** Asks until a check has this status. */
  const untilCheck = (check: string, subject: string | undefined, status: string): Promise<Answer> =>
    until(`${check} is ${status}`, async () => {
      const answer = await api.get('/readyz?verbose');
      const { checks } = answer.body as { checks: Checked[] };
      return checks.some((one) => one.check === check && one.subject === subject && one.status === status)
        ? answer
        : undefined;
    });

  test('shows every part, and asks no controller for it', async () => {
    const siteId = await api.addSite({ name: 'Nebenhaus' });
    const controllers = await api.tables.controllers.all();
    const { name } = controllers.at(-1)!;
    const { status, body } = await untilCheck('controller', name, 'unknown');
    expect(status).toBe(200);
    const { checks } = body as { checks: Checked[] };
    for (const check of ['database', 'migrations', 'disk', 'job', 'orders', 'emails', 'controller'])
      expect(checks.map((one) => one.check)).toContain(check);
    expect((await api.createVoucher({ site_id: siteId })).status).toBe(201);
    await untilCheck('controller', name, 'ok');
  });

  test('a controller that fails does not take the service out', async () => {
    const siteId = await api.addSite({ fault: 'disconnect' });
    const { name } = (await api.tables.controllers.all()).at(-1)!;
    await api.createVoucher({ site_id: siteId });
    expect((await untilCheck('controller', name, 'failing')).status).toBe(200);
  });

  test('names the part that keeps the service from being ready', async () => {
    const { write } = api.database;
    const migrations = await write<{ name: string }>('migrations').where('name', '0001_schema');
    await write('migrations').where('name', '0001_schema').delete();
    const answer = await untilCheck('migrations', undefined, 'failing');
    await write('migrations').insert(migrations);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      status: 'unavailable',
      reason: expect.stringContaining('0001_schema'),
    });
    await untilCheck('migrations', undefined, 'ok');
  });

  test('is for those who may read the metrics', async () => {
    const answer = await api.get('/readyz?verbose', { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(answer).toMatchObject({
      status: 403,
      body: { error: 'forbidden', message: 'details only from this machine, or with METRICS_TOKEN' },
    });
  });
});
