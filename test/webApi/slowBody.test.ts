import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { signInNew } from '../support/web.js';

const api = withAdmin();

/** A request whose body comes after something else has happened. */
const sendSlowly = async (
  headers: string,
  body: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> => {
  const { host, hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const common = `Host: ${host}\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n`;
  // The service says so once it has looked at the head.
  socket.write(`${headers}${common}Expect: 100-continue\r\n\r\n`);
  await once(socket, 'data');
  await meanwhile();
  socket.write(body);
  return text(socket);
};

test('an administrator who was disabled while the body was on its way is refused', async () => {
  const other = await signInNew(api, api.admin, { name: 'Mira', role: 'admin' });
  const { users } = (await api.admin.get('/users')).body as { users: { id: number; name: string }[] };
  const { id } = users.find(({ name }) => name === 'Mira')!;
  const head = `POST /web/users HTTP/1.1\r\nCookie: ${other.cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n`;
  const answer = await sendSlowly(head, JSON.stringify({ name: 'Neu', role: 'admin' }), () =>
    api.admin.patch(`/users/${String(id)}`, { isDisabled: true }),
  );
  expect(answer).toContain('HTTP/1.1 401');
  expect((await api.admin.get('/users')).text).not.toContain('Neu');
});

test('a key that was revoked while the body was on its way is refused', async () => {
  const siteId = await api.addSite();
  const created = await api.admin.post('/keys', { name: 'Buchungssystem', scope: 'write' });
  const { secret, key } = created.body as { secret: string; key: { id: number } };
  const head = `POST /vouchers.php HTTP/1.1\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n`;
  expect((await api.get('/sites.php', { key: secret })).status).toBe(200);
  const answer = await sendSlowly(head, JSON.stringify({ site_id: siteId, name: 'Gast' }), async () => {
    await api.admin.delete(`/keys/${String(key.id)}`);
    // Refused within a second: once another request is, this one has to be, too.
    while ((await api.get('/sites.php', { key: secret })).status !== 401);
  });
  expect(answer).toContain('HTTP/1.1 401');
});
