import { expect, test } from '@jest/globals';
import { withService } from '../../support/service.js';
import { hideTable } from '../../support/serviceInternals.js';

const service = withService();

test('GET /healthz says that the service is alive', async () => {
  expect(await service.get('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
});

test('GET /readyz says that the database is reachable and migrations are done', async () => {
  expect(await service.get('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
});

test('while a migration is missing, /readyz gives 503 and says which; /healthz stays 200', async () => {
  const { write } = service.service.database;
  const migrations = await write<{ name: string }>('migrations').where('name', '0001_initial');
  await write('migrations').where('name', '0001_initial').delete();
  const [ready, healthy] = [await service.get('/readyz'), await service.get('/healthz')];
  await write('migrations').insert(migrations);
  expect(ready.status).toBe(503);
  expect(ready.body).toEqual({ status: 'unavailable', reason: expect.stringContaining('0001_initial') });
  expect(healthy.status).toBe(200);
  expect((await service.get('/readyz')).status).toBe(200);
});

test('while the database can not be read, /readyz gives 503', async () => {
  const show = await hideTable(service, 'migrations');
  const { status } = await service.get('/readyz');
  await show();
  expect(status).toBe(503);
});

test('while the database can only be read, /readyz gives 503', async () => {
  const { write } = service.service.database;
  await write.raw('PRAGMA query_only = ON');
  const { status, body } = await service.get('/readyz');
  await write.raw('PRAGMA query_only = OFF');
  expect(status).toBe(503);
  expect(body).toEqual({ status: 'unavailable', reason: expect.stringContaining('readonly') });
  expect((await service.get('/readyz')).status).toBe(200);
});
