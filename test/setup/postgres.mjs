import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts one PostgreSQL server for the whole run; tests find it at TEST_POSTGRES_URL. */
export default async function startPostgres() {
  const server = spawn(process.execPath, ['test/setup/postgresServer.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  globalThis.testPostgres = server;
  const url = await Promise.race([
    once(createInterface({ input: server.stdout }), 'line').then(([line]) => String(line)),
    once(server, 'exit').then(() => undefined),
  ]);
  if (!url) throw new Error('The PostgreSQL server for the tests did not start; the reason is above.');
  process.env.TEST_POSTGRES_URL = url;
}
