import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send, startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

// Debian has it in /usr/sbin, which is not on everybody's path.
const program = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);
if (program === undefined)
  process.stderr.write('Not run, because nginx is not installed: the tests of the documented nginx block.\n');

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** The block of docs/operate.md, with the ports of a test, in what nginx needs around it. */
const configure = (servicePort: string, port: number): string => {
  const [, block = ''] =
    /```nginx\n(.*?)```/s.exec(readFileSync(join(root, 'docs/operate.md'), 'utf8')) ?? [];
  const adapted = block
    .replace('server 127.0.0.1:3000;', `server 127.0.0.1:${servicePort};`)
    .replace('server {\n', `server {\n  listen 127.0.0.1:${String(port)};\n`);
  expect(adapted).toContain(servicePort);
  expect(adapted).toContain('listen');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  // One process, which runs as this user.
  return `daemon off; master_process off; pid nginx.pid; error_log error.log;
    events {}
    http { access_log off; ${temporary.join(' ')} ${adapted} }`;
};

(program === undefined ? describe.skip : describe)('behind nginx as documented', () => {
  let folder: TestFolder;
  let service: TestService;
  let nginx: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = await makeFolder();
    const port = await freePort();
    url = `http://127.0.0.1:${String(port)}`;
    service = await startService({ env: { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: url } });
    const file = join(folder.path, 'nginx.conf');
    writeFileSync(file, configure(new URL(service.url).port, port));
    // It opens this file before it reads which one to use.
    const log = ['-e', join(folder.path, 'error.log')];
    nginx = spawn(program ?? '', ['-p', folder.path, '-c', file, ...log], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const killNginx = (): void => void nginx.kill('SIGKILL');
    process.once('exit', killNginx);
    nginx.once('exit', () => process.off('exit', killNginx));
    await until('nginx answers', async () => {
      if (nginx.exitCode !== null) throw new Error(readFileSync(join(folder.path, 'error.log'), 'utf8'));
      return (await send(url, 'GET', '/healthz').catch(() => undefined))?.status === 200;
    });
  });
  afterAll(async () => {
    nginx.kill('SIGKILL');
    await service.stop();
    await folder.remove();
  });

  test('the description names the address that the client used, with its port', async () => {
    const { body } = await send(url, 'GET', '/openapi.php');
    expect(body).toMatchObject({ servers: [{ url }] });
    const named = await send(url, 'GET', '/openapi.php', { headers: { host: 'vouchers.example.org:8443' } });
    expect(named.body).toMatchObject({ servers: [{ url: 'http://vouchers.example.org:8443' }] });
  });

  test('a browser that only sends its origin may sign in', async () => {
    const body = { login: 'Anna', password: 'wrong' };
    const { status } = await send(url, 'POST', '/web/session', { headers: { origin: url }, body });
    expect(status).toBe(401);
    const foreign = { origin: url.replace(/\d+$/, '1') };
    expect((await send(url, 'POST', '/web/session', { headers: foreign, body })).status).toBe(403);
  });

  test('the first administrator is made at the public address', async () => {
    const link = (await service.service.firstStartUrl()) ?? '';
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/first-start#token=/);
    expect(new URL(link).origin).toBe(url);
    expect((await send(url, 'GET', new URL(link).pathname)).status).toBe(200);
  });

  test('metrics are not shown', async () => {
    expect((await send(url, 'GET', '/metrics')).status).toBe(404);
  });
});
