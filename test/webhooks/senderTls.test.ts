import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { makeWebhookSender, SendError, sendTimeoutMs } from '../../src/webhooks/sender.js';
import { makeSsrfGuard } from '../../src/ssrf/ssrfGuard.js';
import { runScript } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

const message = { headers: {}, body: '{}' };

let folder: TestFolder;
let target: WebhookTarget;
let cert: string;

beforeAll(async () => {
  folder = await makeFolder();
  cert = join(folder.path, 'cert.pem');
  const key = join(folder.path, 'key.pem');
  const subject = ['-subj', '/CN=hooks.example.org', '-addext', 'subjectAltName=DNS:hooks.example.org'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  target = await startWebhookTarget({ tls: { cert: readFileSync(cert), key: readFileSync(key) } });
});
afterAll(async () => {
  await target.stop();
  await folder.remove();
});

test('a certificate that nobody has signed is not trusted', async () => {
  const { send, close } = makeWebhookSender({
    guard: makeSsrfGuard(['127.0.0.1']),
    timeoutMs: sendTimeoutMs,
  });
  const posting = send(`${target.url}/geheim`, message);
  await expect(posting).rejects.toBeInstanceOf(SendError);
  await expect(posting).rejects.toMatchObject({
    message: 'certificate not trusted: DEPTH_ZERO_SELF_SIGNED_CERT',
    permanent: false,
  });
  expect(target.requests).toEqual([]);
  await close();
});

/** What a post to the target by this name comes to in a process with this environment. */
const postAs = (name: string, env: Record<string, string>): Promise<string> =>
  runScript(
    `import { makeSsrfGuard } from './dist/src/ssrf/ssrfGuard.js';
     import { makeWebhookSender, sendTimeoutMs } from './dist/src/webhooks/sender.js';
     const resolve = (name, options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
     const { send, close } = makeWebhookSender({ guard: makeSsrfGuard(['127.0.0.1'], resolve), timeoutMs: sendTimeoutMs });
     await send('https://${name}:${target.port}/', ${JSON.stringify(message)})
       .then(({ status }) => console.log(status), ({ message }) => console.log(message));
     await close();`,
    env,
  );

test('a certificate that the machine trusts is, for its own name', async () => {
  const env = { NODE_EXTRA_CA_CERTS: cert };
  expect(await postAs('hooks.example.org', env)).toBe('200\n');
  expect(await postAs('other.example.org', env)).toBe(
    'certificate not trusted: ERR_TLS_CERT_ALTNAME_INVALID\n',
  );
  expect(target.requests).toHaveLength(1);
});

test('the environment can not switch the check off', async () => {
  const before = target.requests.length;
  expect(await postAs('hooks.example.org', { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toBe(
    'certificate not trusted: DEPTH_ZERO_SELF_SIGNED_CERT\n',
  );
  expect(target.requests).toHaveLength(before);
});
