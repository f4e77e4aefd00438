import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send } from '../support/service.js';

let folder: TestFolder;
let ca: Buffer;

const api = withApi({
  beforeStart: async () => {
    folder = await makeFolder();
    const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    ca = readFileSync(cert);
    return { env: { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } };
  },
  afterStop: () => folder.remove(),
});

const get = (path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const req = request(api.url + path, { ca, agent: false, servername: 'localhost', headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    req.on('error', reject);
    req.end();
  });

test('the service speaks TLS itself with TLS_CERT_FILE and TLS_KEY_FILE', async () => {
  expect(api.url).toMatch(/^https:/);
  const { status } = await get('/sites.php', { Authorization: `Bearer ${api.key}` });
  expect(status).toBe(200);
});

test('servers[0].url is https when the request is over HTTPS [openapi-server-https]', async () => {
  const { text } = await get('/openapi.php', { Host: 'api.example.org' });
  expect(JSON.parse(text)).toMatchObject({ servers: [{ url: 'https://api.example.org' }] });
});

test('a client that has closed its side of a TLS connection gets its answer', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ca,
    servername: 'localhost',
  });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'close');
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a request without TLS gets no answer from the API', async () => {
  const plain = api.url.replace('https:', 'http:');
  await expect(send(plain, 'GET', '/openapi.php')).rejects.toThrow();
});
