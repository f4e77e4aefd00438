// Records what a version of the service asks its database, so that a later version can be tested beside it:
//   node test/database/earlierVersions/record.mjs <built checkout of that version> <DATABASE_URL of an empty database>
// prints JSON: a list of transactions, each a list of [statement, bindings].
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [checkout, databaseUrl] = process.argv.slice(2);
/** Loads a module, which versions up to migration 0020 have at the second path. */
const load = async (path, earlierPath = path) => {
  const files = [path, earlierPath].map((one) => resolve(checkout, 'dist/src', one));
  return import(pathToFileURL(files.find((file) => existsSync(file)) ?? files[0]).href);
};
const { startApp } = await load('app/app.js', 'app.js');
const { readConfig } = await load('config/config.js', 'config.js');
const { generateApiKey } = await load('apiKeys/apiKeys.js', 'access/apiKeys.js');
const { nodeSystem } = await load('lib/system.js');
const { pino } = await import('pino');

const dataDir = mkdtempSync(join(tmpdir(), 'voucherd-record-'));
const app = await startApp({
  config: readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    SYNC_INTERVAL_S: '0',
    RECONCILE_INTERVAL_S: '3600',
  }),
  log: pino({ level: 'silent' }),
});
const { database, tables = app.storage } = app;

const transactions = [];
/** The open transaction of each connection. */
const open = new Map();
for (const pool of new Set([database.read, database.write]))
  pool.on('query', ({ sql, bindings, __knexUid: connection }) => {
    const isBegin = /^begin\b/i.test(sql);
    const current = isBegin ? [] : (open.get(connection) ?? []);
    if (isBegin || !open.has(connection)) transactions.push(current);
    if (isBegin) open.set(connection, current);
    if (/^(?:commit|rollback)\b/i.test(sql)) open.delete(connection);
    current.push([sql, bindings ?? []]);
  });

const { key, prefix, hash } = generateApiKey(nodeSystem);
const now = nodeSystem.now();
await tables.apiKeys.add({
  ...{ name: 'Buchung', prefix, hash, scope: 'write', rateLimit: 1000, createdAt: now, expiresAt: null },
});
const controllerId = await tables.controllers.add({ name: 'Zentrale', kind: 'simulated', settings: {} }, now);
const siteId = await tables.sites.add(
  { name: 'Haus', active: true, controllerId, controllerSite: null },
  now,
);

const send = async (method, path, body, headers = {}) => {
  const answer = await fetch(app.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${await answer.text()}`);
};
await send('GET', '/sites.php');
for (const name of ['Familie Müller 7', 'Dr. Ölçer Zimmer 12'])
  await send('POST', '/vouchers.php', { site_id: siteId, name }, { 'Idempotency-Key': name.slice(0, 3) });
await send('GET', `/vouchers.php?site_id=${siteId}`);
await app.reconcile();
await app.sync();
await app.stop();
rmSync(dataDir, { recursive: true });
process.stdout.write(`${JSON.stringify(transactions)}\n`);
