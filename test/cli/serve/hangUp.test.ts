import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { constants } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificate, type Certificate } from '../../../simulators/certificate.js';
import { followHangUps } from '../../../src/lib/signals.js';
import { childEnv, root } from '../../support/built.js';
import { startProgram, type Program } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { send } from '../../support/service.js';
import { until } from '../../support/until.js';

const cli = forAllTests(makeCliFixture, 'remove');

/** The service as it is built, in a process of its own. */
const serve = async (env: Record<string, string> = {}): Promise<{ program: Program; url: string }> => {
  const program = startProgram(['serve', '--json'], {
    ...cli.env,
    PORT: '0',
    SYNC_INTERVAL_S: '0',
    CONTROLLER_DEADLINE_S: '300',
    ...env,
  });
  return { program, url: await program.url() };
};

const hangUp = async ({ program }: { program: Program }, line: string): Promise<void> => {
  const before = program.out().split(line).length;
  program.process.kill('SIGHUP');
  await until(`the line: ${line}`, () => program.out().split(line).length > before);
};

/** The fingerprint of the certificate that a new connection is shown. */
const shownBy = async (url: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
};

describe('SIGHUP to a service that speaks TLS', () => {
  let running: { program: Program; url: string };
  let files: { cert: string; key: string };
  let [first, second]: (Certificate | undefined)[] = [];
  const put = async ({ cert, key }: Pick<Certificate, 'cert' | 'key'>): Promise<void> => {
    await writeFile(files.cert, cert);
    await writeFile(files.key, key);
  };

  beforeAll(async () => {
    files = { cert: join(cli.dataDir, 'cert.pem'), key: join(cli.dataDir, 'key.pem') };
    [first, second] = await Promise.all([makeCertificate('alt'), makeCertificate('neu')]);
    await put(first);
    running = await serve({ TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key });
  });
  afterAll(async () => {
    running.program.process.kill('SIGTERM');
    expect((await running.program.ended).status).toBe(0);
  });

  test('new connections get the new certificate, and an order in flight is not disturbed', async () => {
    const now = Date.now();
    const settings = { latencyMs: 3000, fault: 'none' };
    const controllerId = await cli.tables.controllers.add(
      { name: 'langsam', kind: 'simulated', settings },
      now,
    );
    const site = await cli.tables.sites.add(
      { name: 'Halle', active: true, controllerId, controllerSite: null },
      now,
    );
    const key = (await cli.voucherd('key', 'create', '--name', 'Kasse', '--scope', 'write')).out.trim();
    const order = request(`${running.url}/vouchers.php`, {
      method: 'POST',
      headers: { 'X-API-Key': key },
      rejectUnauthorized: false,
    });
    const answered = once(order, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
    order.end(JSON.stringify({ site_id: site, name: 'Familie Berger' }));
    await until(
      'the order is in flight, or done already',
      async () => (await cli.tables.intents.count()) + (await cli.tables.vouchers.count([site])) > 0,
    );
    expect(await shownBy(running.url)).toBe(first?.fingerprint);
    await put(second as Certificate);
    await hangUp(running, 'the TLS files were read again');
    expect(await shownBy(running.url)).toBe(second?.fingerprint);
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(201);
  });

  test.each([
    ['that are not there in full', () => ({ cert: '', key: second?.key ?? '' })],
    ['of which one does not fit the other', () => ({ cert: first?.cert ?? '', key: second?.key ?? '' })],
  ])('with files %s the certificate stays as it was, and the log says so', async (_, broken) => {
    const before = await shownBy(running.url);
    await put(broken());
    await hangUp(running, 'so the certificate stays as it was');
    expect(await shownBy(running.url)).toBe(before);
    expect(running.program.out()).not.toContain('PRIVATE KEY');
  });
});

test('SIGHUP to a service without TLS is logged and ignored', async () => {
  const running = await serve();
  await hangUp(running, 'SIGHUP ignored');
  await hangUp(running, 'SIGHUP ignored');
  expect((await send(running.url, 'GET', '/healthz')).status).toBe(200);
  running.program.process.kill('SIGTERM');
  expect((await running.program.ended).status).toBe(0);
});

test('SIGHUP stops a service whose terminal is gone, and no other', () => {
  const heard: string[] = [];
  const listeners = { reload: () => void heard.push('reload'), stop: () => void heard.push('stop') };
  const signals = new EventEmitter();
  let isThere = true;
  const unfollow = followHangUps(signals, listeners, () => isThere);
  signals.emit('SIGHUP');
  isThere = false;
  signals.emit('SIGHUP');
  unfollow();
  signals.emit('SIGHUP');
  // A service that never had one reads its files.
  followHangUps(signals, listeners, () => isThere);
  signals.emit('SIGHUP');
  expect(heard).toEqual(['reload', 'stop', 'reload']);
});

test('a terminal that is closed ends the service in order', async () => {
  const log = join(cli.dataDir, 'log');
  const [script, status] = [join(cli.dataDir, 'terminal.py'), join(cli.dataDir, 'status')];
  // The program runs in a terminal of its own, which is closed when the service listens.
  await writeFile(
    script,
    `import os, pty, sys, time
child, terminal = pty.fork()
if child == 0:
    os.dup2(os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT), 1)
    os.execv(sys.argv[1], [sys.argv[1], 'scripts/voucherd.mjs', 'serve', '--json'])
while b'"listening"' not in open(sys.argv[2], 'rb').read() if os.path.exists(sys.argv[2]) else True:
    time.sleep(0.05)
os.close(terminal)
open(sys.argv[3], 'w').write(str(os.waitpid(child, 0)[1]))
`,
  );
  const terminal = spawn('python3', [script, process.execPath, log, status], {
    cwd: root,
    env: childEnv({ PORT: '0', DATA_DIR: join(cli.dataDir, 'terminal') }),
    stdio: 'ignore',
  });
  await once(terminal, 'close');
  // Ended by the signal, as others that send it expect, and not by an assertion of Node about its terminal.
  expect(await readFile(status, 'utf8')).toBe(String(constants.signals.SIGHUP));
  expect(await readFile(log, 'utf8')).toContain('"msg":"stopped"');
});
