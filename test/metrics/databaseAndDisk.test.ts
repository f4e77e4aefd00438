import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { describe, expect, test } from '@jest/globals';
import { makeCertificate, type Certificate } from '../../simulators/certificate.js';
import { startSilencingProxy, type SilencingProxy } from '../../simulators/silencingProxy.js';
import { withApi } from '../support/api.js';
import { childEnv, root } from '../support/built.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { expectAlert, findValue, hasPromtool, promtool } from '../support/prometheus.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

// As in breakages.test.ts: what is broken for real is seen in the metrics, and our rules fire.

const dayMs = 86_400_000;
const folder = forAllTests(makeFolder, 'remove');

describe('on PostgreSQL', () => {
  let own: TestDatabase;
  let proxy: SilencingProxy;
  const api = withApi({
    beforeStart: async () => {
      own = await makePostgresDatabase();
      proxy = await startSilencingProxy(own.url);
      return {
        env: { DATABASE_URL: proxy.through(own.url), DATABASE_POOL_MAX: '4', DATABASE_TIMEOUT_S: '600' },
      };
    },
    afterStop: async () => {
      await proxy.close();
      await own.drop();
    },
  });
  const scrape = async (): Promise<string> => (await api.get('/metrics')).text;

  test('statements are measured, and slow ones fire the alert', async () => {
    await api.createVoucher();
    const well = await scrape();
    await Promise.all(Array.from({ length: 8 }, () => api.database.read.raw('select pg_sleep(0.6)')));
    const broken = await scrape();
    const slow = (scraped: string): number => {
      const name = 'voucherd_database_query_duration_seconds';
      const count = findValue(scraped, `${name}_count`, { pool: 'main' }) ?? 0;
      return count - (findValue(scraped, `${name}_bucket`, { pool: 'main', le: '0.5' }) ?? 0);
    };
    expect(slow(broken) - slow(well)).toBeGreaterThanOrEqual(8);
    // Nothing was asked before: on a busy machine what is asked may be slow, too.
    await expectAlert('VoucherdDatabaseSlow', well, { before: well, after: broken });
  });

  test('who waits for a connection is counted', async () => {
    const pool = { pool: 'main' };
    const lock = 'select pg_advisory_lock(1), pg_advisory_unlock(1)';
    const other = new pg.Client(own.url);
    await other.connect();
    await other.query('select pg_advisory_lock(1)');
    const busy = Promise.allSettled(Array.from({ length: 12 }, () => api.database.read.raw(lock)));
    const used = (scraped: string): number | undefined =>
      findValue(scraped, 'voucherd_database_pool_connections', { ...pool, state: 'used' });
    // Also while connections are being opened somebody waits.
    const text = await until('all are used, and some wait', async () => {
      const scraped = await scrape();
      const waiting = findValue(scraped, 'voucherd_database_pool_waiting', pool) ?? 0;
      return waiting > 0 && used(scraped) === 3 ? scraped : undefined;
    });
    await other.end();
    expect(findValue(text, 'voucherd_database_pool_max_connections', pool)).toBe(3);
    expect((await busy).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'fulfilled'));
  });

  test('a database that falls silent does not hold up a scrape, and what was known stays', async () => {
    const well = await until('it is up', async () => {
      const scraped = await scrape();
      return findValue(scraped, 'voucherd_database_up') === 1 ? scraped : undefined;
    });
    proxy.silence();
    let answered = false;
    const asked = api.database.read.raw('select 1').then(
      () => (answered = true),
      () => undefined,
    );
    const broken = await until('it is down', async () => {
      const scraped = await scrape();
      return findValue(scraped, 'voucherd_database_up') === 0 ? scraped : undefined;
    });
    expect(answered).toBe(false);
    expect(findValue(broken, 'voucherd_open_intents')).toBe(0);
    await expectAlert('VoucherdDatabaseDown', well, broken);
    // Silent connections stay so: they are closed for the service to go on.
    await proxy.close();
    await asked;
  });
});

describe('with a certificate of its own', () => {
  let lasting: Certificate;
  const api = withApi({
    key: false,
    site: false,
    beforeStart: async () => {
      lasting = await makeCertificate('localhost', { notAfterDate: new Date(Date.now() + 90 * dayMs) });
      const files = {
        TLS_CERT_FILE: join(folder.path, 'cert.pem'),
        TLS_KEY_FILE: join(folder.path, 'key.pem'),
      };
      await writeFile(files.TLS_CERT_FILE, lasting.cert);
      await writeFile(files.TLS_KEY_FILE, lasting.key);
      return { env: files };
    },
  });
  const scrape = async (): Promise<string> => {
    const req = request(`${api.url}/metrics`, { rejectUnauthorized: false, agent: false });
    const answered = once(req.end(), 'response') as Promise<[NodeJS.ReadableStream]>;
    return text((await answered)[0]);
  };

  test('its expiry is seen, also after it was replaced', async () => {
    const name = 'voucherd_tls_certificate_expiry_timestamp_seconds';
    const well = await scrape();
    expect(findValue(well, name)).toBeGreaterThan(Date.now() / 1000 + 80 * 86_400);
    const notAfterDate = new Date(Date.now() + 5 * dayMs);
    const { cert, key } = await makeCertificate('localhost', { notAfterDate });
    api.app.replaceCertificate({ cert: Buffer.from(cert), key: Buffer.from(key) });
    const broken = await scrape();
    expect(findValue(broken, name)).toBe(Math.floor(notAfterDate.getTime() / 1000));
    await expectAlert('VoucherdCertificateExpires', well, broken);
  });
});

/** A file system of its own needs a mount, which only root, or an own user namespace, may make. */
const unshare = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];
const mount = 'mount -t tmpfs -o size=40m tmpfs "$DATA_DIR"';
const mayMount =
  spawnSync('sh', ['-c', `exec "$@"`, 'sh', ...unshare, 'sh', '-ec', mount], {
    env: childEnv({ DATA_DIR: '/mnt' }),
  }).status === 0;

(mayMount ? describe : describe.skip)(
  mayMount ? 'on a small disk' : 'a small disk can not be mounted here (unshare, mount)',
  () => {
    test('a disk that fills up is seen', async () => {
      const dataDir = join(folder.path, 'data');
      const script = `mkdir -p "$DATA_DIR" && ${mount} && exec "$0" "$@"`;
      const program = ['scripts/voucherd.mjs', 'serve', '--json'];
      const [command = '', ...args] = [...unshare, 'sh', '-ec', script, process.execPath, ...program];
      const child = spawn(command, args, {
        cwd: root,
        env: childEnv({ DATA_DIR: dataDir, PORT: '0', DATABASE_TIMEOUT_S: '120' }),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        let printed = '';
        child.stdout.on('data', (chunk: Buffer) => void (printed += String(chunk)));
        const url = await until('the address of the service', () => {
          if (child.exitCode !== null) throw new Error(`it ended: ${printed}`);
          return /^\{"url":"([^"]+)"\}$/m.exec(printed)?.[1];
        });
        const scrape = async (): Promise<string> => (await send(url, 'GET', '/metrics')).text;
        const share = (scraped: string): number =>
          (findValue(scraped, 'voucherd_disk_free_bytes', { folder: 'data' }) ?? NaN) /
          (findValue(scraped, 'voucherd_disk_size_bytes', { folder: 'data' }) ?? NaN);
        const well = await until('the disk is looked at', async () => {
          const scraped = await scrape();
          return share(scraped) > 0.5 ? scraped : undefined;
        });
        // Its own mounts are visible through the process.
        const filler = join(`/proc/${String(child.pid)}/root`, dataDir, 'filler');
        await writeFile(filler, Buffer.alloc(36 * 1024 * 1024));
        const broken = await until('it is nearly full', async () => {
          const scraped = await scrape();
          return share(scraped) < 0.1 ? scraped : undefined;
        });
        await expectAlert('VoucherdDiskNearlyFull', well, broken);
        if (hasPromtool) expect(promtool(['check', 'metrics'], broken)).toEqual({ status: 0, output: '' });
        await rm(filler);
      } finally {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    });
  },
);
