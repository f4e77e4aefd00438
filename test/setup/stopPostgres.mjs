import { once } from 'node:events';

/** Stops the server of `postgres.mjs` and waits until it is gone and its files are removed. */
export default async function stopPostgres() {
  const server = globalThis.testPostgres;
  if (!server || server.exitCode !== null) return;
  const gone = once(server, 'exit');
  server.stdin?.end();
  await gone;
}
