import { expect, test } from '@jest/globals';
import { withApi } from './api.js';
import { leaksIn, plantSecrets } from './secretLeaks.js';
import { startService } from './service.js';

const api = withApi();

test.each([
  ['as it is', (secret: string) => `Fehler: ${secret}!`],
  ['in JSON', (secret: string) => JSON.stringify({ password: secret })],
  ['in an address', (secret: string) => `https://x/?p=${encodeURIComponent(secret)}`],
  ['in base64', (secret: string) => Buffer.from(secret).toString('base64')],
])('a planted secret is found %s', (how, write) => {
  const secret = `geplant "ü" & ${how}`;
  expect(leaksIn(write(secret))).toEqual([]);
  plantSecrets([secret]);
  expect(leaksIn(write(secret))).toEqual([secret]);
});

test('what the path of a checkout shows in every stack trace is refused as a secret', () => {
  // Planted for this look only: what stays planted is looked for by every later test.
  let secrets = ['voucherd'];
  plantSecrets(() => secrets);
  expect(() => leaksIn('')).toThrow('"voucherd" is no secret');
  secrets = [];
  expect(leaksIn('voucherd')).toEqual([]);
});

test('a test service that has logged a planted secret fails when it is stopped', async () => {
  const leaking = await startService();
  plantSecrets(['geplantes-kennwort-1']);
  leaking.lines.push('{"msg":"signed in with geplantes-kennwort-1"}');
  await expect(leaking.stop()).rejects.toThrow('geplantes-kennwort-1');
});

test('a test service that has answered with a planted secret fails when it is stopped', async () => {
  const leaking = await startService();
  const { text } = await leaking.get('/healthz');
  plantSecrets([text]);
  await expect(leaking.stop()).rejects.toThrow('status');
});

test('the keys of a test service are planted', async () => {
  expect(leaksIn(`Authorization: Bearer ${api.key}`)).toEqual([api.key]);
});
