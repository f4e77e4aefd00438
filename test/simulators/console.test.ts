import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { until } from '../support/until.js';
import { logIn, makeConsoleClient } from './consoleClient.js';

let running: UnifiConsole;
afterEach(() => running.stop());

const key = (): Record<string, string> => ({ 'x-api-key': running.apiKey });

test('its certificate is its own, holds for this machine, and has the fingerprint that it tells', async () => {
  running = await startUnifiConsole();
  const { port } = new URL(running.url);
  for (const servername of ['localhost', undefined]) {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(port),
      ca: running.certificate,
      ...(servername !== undefined && { servername }),
    });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(running.fingerprint);
    socket.destroy();
  }
  const other = await startUnifiConsole();
  expect(other.fingerprint).not.toBe(running.fingerprint);
  expect(other.apiKey).not.toBe(running.apiKey);
  await other.stop();
});

test('it counts connections, logins, calls by route, and how many are open at the same time', async () => {
  running = await startUnifiConsole();
  const headers = await logIn(running, 'unifi-os');
  const hotspot = '/proxy/network/api/s/default/cmd/hotspot';
  await makeConsoleClient(running)(
    'POST',
    hotspot,
    { cmd: 'create-voucher', n: 1, quota: 1, expire: 1 },
    headers,
  );
  await makeConsoleClient(running)('POST', '/proxy/network/api/s/default/stat/voucher', {}, headers);
  await makeConsoleClient(running)('GET', '/');
  await makeConsoleClient(running)('GET', '/simulator');
  expect(running.counts).toEqual({
    handshakes: 5,
    logins: 1,
    refusedLogins: 0,
    calls: 2,
    byRoute: { 'POST login': 1, 'POST cmd/hotspot create-voucher': 1, 'POST stat/voucher': 1, 'GET /': 1 },
    open: 0,
    mostOpen: 1,
  });

  running.resetCounts();
  running.fault({ kind: 'hang', on: 'all', times: 3 });
  const hanging = [1, 2, 3].map(() =>
    makeConsoleClient(running)('GET', '/proxy/network/integration/v1/info', undefined, key()),
  );
  await until('all have arrived', () => running.counts.open === 3);
  await makeConsoleClient(running)('GET', '/proxy/network/integration/v1/info', undefined, key());
  expect(running.counts).toMatchObject({ calls: 4, byRoute: { 'GET info': 4 }, open: 3, mostOpen: 4 });
  await running.stop();
  expect(await Promise.allSettled(hanging)).toMatchObject(Array(3).fill({ status: 'rejected' }));
  expect(running.counts.open).toBe(0);
});

test('vouchers() gives copies', async () => {
  running = await startUnifiConsole();
  running.seed(1);
  running.vouchers()[0]!.used = 5;
  expect(running.vouchers()[0]!.used).toBe(0);
});
