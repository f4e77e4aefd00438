// Runs a throw-away PostgreSQL server until standard input closes. That happens however the parent ends,
// even when it is killed, so neither a server nor its files can be left behind.
import { findFreePort } from './freePort.mjs';
import { addressOf, careless, findPrograms, initialise, removeFiles, startServer } from './postgresFiles.mjs';

/** Nobody copies this one. */
const alone = { ...careless, wal_level: 'minimal', max_wal_senders: 0 };

for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.on(signal, () => process.stdin.destroy());
process.stdout.on('error', () => undefined);

try {
  const bin = findPrograms();
  const data = initialise(bin);
  const port = await findFreePort();
  const server = await startServer(bin, data, port, process.env.POSTGRES_DURABLE === 'true' ? {} : alone);
  const ended = new Promise((resolve) => server.on('exit', resolve));
  process.stdin.on('close', () => server.kill('SIGINT'));
  // A signal may have come before.
  if (process.stdin.destroyed) server.kill('SIGINT');
  process.stdin.resume();
  console.log(addressOf(port));
  await ended;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  removeFiles();
  process.stdin.destroy();
}
