import { once } from 'node:events';
import { Agent, request } from 'node:https';
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

test('calls over one connection are one handshake', async () => {
  running = await startUnifiConsole();
  const agent = new Agent({ keepAlive: true, ca: running.certificate, maxSockets: 1 });
  for (const _call of [1, 2, 3]) {
    const sent = request(`${running.url}/proxy/network/integration/v1/info`, { agent, headers: key() }).end();
    const [res] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    res.resume();
    await once(res, 'end');
  }
  agent.destroy();
  expect(running.counts).toMatchObject({ handshakes: 1, calls: 3 });
});

test('5,000 vouchers are listed whole by the classic API and page by page by the other', async () => {
  running = await startUnifiConsole();
  running.seed(5000, { name: '2026-01-02_Gast', limit: 3, down: 50_000, up: 10_000, quotaMb: 1000 });
  // One text each: comparing 5,000 values takes longer than all the rest.
  const codesOf = (vouchers: unknown): string =>
    (vouchers as { code: string }[]).map(({ code }) => code).join();
  const codes = codesOf(running.vouchers());
  const whole = await makeConsoleClient(running)(
    'GET',
    '/proxy/network/api/s/default/stat/voucher',
    undefined,
    key(),
  );
  expect(codesOf(whole.json.data) === codes).toBe(true);
  expect(whole.text.length).toBeGreaterThan(1_500_000);

  const integration = '/proxy/network/integration/v1';
  const sites = await makeConsoleClient(running)('GET', `${integration}/sites`, undefined, key());
  const path = `${integration}/sites/${sites.json.data[0].id as string}/hotspot/vouchers?limit=1000&offset=`;
  const pages: string[] = [];
  for (let offset = 0; offset < 5000; offset += 1000) {
    const { json } = await makeConsoleClient(running)('GET', path + String(offset), undefined, key());
    expect([json.offset, json.count, json.totalCount]).toEqual([offset, 1000, 5000]);
    pages.push(codesOf(json.data));
  }
  expect(pages.join() === codes).toBe(true);
});

test('what somebody deletes on the console is gone from both APIs', async () => {
  running = await startUnifiConsole();
  running.seed(2);
  const [first, second] = running.vouchers();
  running.remove(`${first!.code.slice(0, 5)}-${first!.code.slice(5)}`);
  expect(running.vouchers()).toEqual([second]);
  expect(() => running.remove(first!.code)).toThrow('no voucher');
});

test('vouchers() gives copies', async () => {
  running = await startUnifiConsole();
  running.seed(1);
  running.vouchers()[0]!.used = 5;
  expect(running.vouchers()[0]!.used).toBe(0);
});
