import { afterEach, describe, expect, test } from '@jest/globals';
import { Controller as NodeUnifi } from 'node-unifi';
import { Controller as UnifiClient } from 'unifi-client';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleOptions, ConsoleVariant } from '../../simulators/unifi/settings.js';

let running: UnifiConsole;
const start = async (options: ConsoleOptions): Promise<void> => {
  running = await startUnifiConsole({
    sites: [
      { reference: 'default', name: 'Hauptgebäude' },
      { reference: 'haus2', name: 'Haus 2' },
    ],
    ...options,
  });
};
afterEach(() => running.stop());

const nodeUnifi = (options: { password?: string; token2FA?: string } = {}): NodeUnifi => {
  const { hostname, port } = new URL(running.url);
  const { username, password } = running;
  return new NodeUnifi({
    host: hostname,
    port: Number(port),
    username,
    password,
    sslverify: false,
    ...options,
  });
};

const unifiClient = (): UnifiClient => {
  const { url, username, password } = running;
  return new UnifiClient({ url, username, password, strictSSL: false });
};

describe.each<ConsoleVariant>(['unifi-os', 'self-hosted'])(
  'what others wrote for real consoles works: %s',
  (variant) => {
    test('node-unifi logs in, creates, lists and deletes a voucher, and logs out', async () => {
      await start({ variant });
      const client = nodeUnifi();
      await client.login();
      expect((await client.getSites()).map(({ name, desc }) => [name, desc])).toEqual([
        ['default', 'Hauptgebäude'],
        ['haus2', 'Haus 2'],
      ]);
      const [created] = await client.createVouchers(480, 2, 1, '2026-01-02_Gast', 2000, 5000, 1000);
      running.seed(1, { createdAt: 0 });
      const batch = await client.getVouchers(created!.create_time);
      expect(await client.getVouchers()).toHaveLength(3);
      const [first, second] = running.vouchers();
      expect(first).toMatchObject({ site: 'default', up: 2000, down: 5000, quotaMb: 1000, limit: 1 });
      expect(batch).toMatchObject([
        { _id: first!.objectId, code: first!.code, quota: 1, duration: 480, note: '2026-01-02_Gast' },
        { _id: second!.objectId, code: second!.code, quota: 1, duration: 480, note: '2026-01-02_Gast' },
      ]);
      await client.revokeVoucher(first!.objectId);
      expect(running.vouchers().map(({ code }) => code)).not.toContain(first!.code);
      await client.logout();
      expect(running.counts).toMatchObject({ logins: 1, refusedLogins: 0 });
    });

    test('node-unifi is refused with a wrong password', async () => {
      await start({ variant });
      const status = variant === 'unifi-os' ? '403' : '400';
      await expect(nodeUnifi({ password: 'wrong' }).login()).rejects.toThrow(status);
      expect(running.counts).toMatchObject({ logins: 0, refusedLogins: 1 });
    });

    test('node-unifi gets in with a second factor', async () => {
      await start({ variant, twoFactor: true });
      const client = nodeUnifi({ token2FA: '123456' });
      await client.login();
      expect(await client.getVouchers()).toEqual([]);
    });

    test('unifi-client logs in, creates, lists and deletes a voucher, and logs out', async () => {
      await start({ variant });
      const client = unifiClient();
      await client.login();
      expect(client.version).toBe('10.5.66');
      const [, site] = await client.getSites();
      expect(site).toMatchObject({ name: 'haus2', desc: 'Haus 2', role: 'admin' });
      const http = site!.getInstance();
      const order = { cmd: 'create-voucher', n: 1, quota: 3, expire: 60, note: '2026-01-02_Gast' };
      const created = await http.post('/cmd/hotspot', order);
      const batch = { create_time: created.data.data[0].create_time as number };
      const listed = await http.post('/stat/voucher', batch);
      const [voucher] = running.vouchers('haus2');
      expect(listed.data.data).toMatchObject([
        { code: voucher!.code, quota: 3, note: '2026-01-02_Gast', status: 'VALID_MULTI' },
      ]);
      await http.post('/cmd/hotspot', { cmd: 'delete-voucher', _id: voucher!.objectId });
      expect((await http.get('/stat/voucher')).data.data).toEqual([]);
      await client.logout();
      expect(running.counts).toMatchObject({ logins: 1, refusedLogins: 0 });
    });
  },
);

test('unifi-client logs in again on a self-hosted console when its session has ended', async () => {
  await start({ variant: 'self-hosted' });
  const client = unifiClient();
  await client.login();
  running.endSessions();
  expect(await client.getSites()).toHaveLength(2);
  expect(running.counts.logins).toBe(2);
});

test('unifi-client reads from the token on UniFi OS when it ends, and logs in again before', async () => {
  await start({ variant: 'unifi-os', sessionTtlMs: 60_000 });
  const client = unifiClient();
  await client.login();
  const { logins } = running.counts;
  expect(await client.getSites()).toHaveLength(2);
  expect(running.counts.logins).toBe(logins + 1);
});
