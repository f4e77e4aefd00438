import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { sealCredentials } from '../../../src/secrets/encryption.js';
import { withApi } from '../../support/api.js';
import { forAllTests } from '../../support/fixture.js';
import { hasMariaDb } from '../../support/mariadb.js';
import { hasFreeRadius, shippedSchema, startFreeRadius } from './freeRadius.js';
import { makeRadiusPostgres, startRadiusMariaDb, type RadiusDatabase } from './radiusDatabase.js';

const seconds = (text: string | undefined): number => Number(text ?? Number.NaN);

/** A voucher at a real FreeRADIUS: ordered by the API, used by radclient. */
const freeRadiusTests = (make: () => Promise<RadiusDatabase>): void => {
  let siteId: number;
  const api = withApi({ site: false, admin: true });

  const database = forAllTests(make, 'drop');
  const radius = forAllTests(() => startFreeRadius(database), 'stop');
  beforeAll(async () => {
    await database.query(
      `insert into nas (nasname, shortname, secret) values ('127.0.0.1', 'portal', '${radius.secret}')`,
    );
    const { tables } = api.app;
    const [kind, settings] = ['radius-sql', { url: database.url, disconnectPort: radius.disconnectPort }];
    const controllerId = await tables.controllers.add(
      {
        ...{ name: 'RADIUS', kind, settings },
        sealedCredentials: sealCredentials(
          openSecrets({ secretKey: undefined, dataDir: api.dataDir }),
          { kind, settings },
          database.credentials,
        ),
      },
      Date.now(),
    );
    siteId = await tables.sites.add(
      { name: 'Hotel', active: true, controllerId, controllerSite: 'default' },
      Date.now(),
    );
  });

  const order = async (fields: object = {}): Promise<string> => {
    const { status, body } = await api.createVoucher({ site_id: siteId, ...fields });
    expect({ status, body }).toMatchObject({ status: 201, body: { success: true } });
    const { code, formatted_code: formatted } = body as { code: string; formatted_code: string };
    expect(code).toMatch(/^\d{10}$/);
    // As the portal takes it.
    expect(formatted).toBe(code);
    return code;
  };
  const signIn = (code: string, device = 'AA-00-00-00-00-01', password: object = { 'User-Password': code }) =>
    radius.send('auth', {
      ...{ 'User-Name': code, 'Calling-Station-Id': device, 'NAS-IP-Address': '127.0.0.1' },
      ...password,
    });
  const account = (code: string, type: 'Start' | 'Interim-Update' | 'Stop', fields: object = {}) =>
    radius.send('acct', {
      ...{ 'Acct-Status-Type': type, 'User-Name': code, 'Acct-Session-Id': `s-${code}` },
      ...{ 'Calling-Station-Id': 'AA-00-00-00-00-01', 'NAS-IP-Address': '127.0.0.1' },
      ...{ 'Framed-IP-Address': '10.0.0.7', 'Acct-Session-Time': 1 },
      ...fields,
    });
  const listed = async (code: string) => {
    const { body } = await api.listVouchers(siteId);
    return (body as { vouchers: Record<string, unknown>[] }).vouchers.find(
      ({ voucher_code: known }) => known === code,
    );
  };
  const beginEarlier = (code: string, minutes: number) =>
    database.query(
      database.dialect === 'postgresql'
        ? `update radacct set acctstarttime = acctstarttime - interval '${String(minutes)} minutes' where username = '${code}'`
        : `update radacct set acctstarttime = acctstarttime - interval ${String(minutes)} minute where username = '${code}'`,
    );

  test('an ordered voucher signs in by PAP and CHAP, with its limits, and nobody else does', async () => {
    const code = await order({
      max_uses: 2,
      expire_minutes: 60,
      qos: { down: 5000, up: 2000, quota_mb: 5000 },
    });
    const answer = await signIn(code);
    expect(answer.kind).toBe('Access-Accept');
    expect(answer.attributes).toMatchObject({
      'WISPr-Bandwidth-Max-Down': '5000000',
      'WISPr-Bandwidth-Max-Up': '2000000',
      'Acct-Interim-Interval': '300',
      'Session-Timeout': '3600',
      // 5,000,000,000 is once 2^32 and 705,032,704.
      'Mikrotik-Total-Limit': '705032704',
      'Mikrotik-Total-Limit-Gigawords': '1',
      'pfSense-Max-Total-Octets': '4294967295',
    });
    expect((await signIn(code, undefined, { 'CHAP-Password': code })).kind).toBe('Access-Accept');
    expect((await signIn(code, undefined, { 'User-Password': 'falsch' })).kind).toBe('Access-Reject');
    expect((await signIn('0000000000')).kind).toBe('Access-Reject');
  });

  test('its time runs from the first use, and then it ends', async () => {
    const code = await order({ expire_minutes: 60 });
    await account(code, 'Start');
    await beginEarlier(code, 20);
    const left = seconds((await signIn(code)).attributes['Session-Timeout']);
    expect(left).toBeGreaterThan(2300);
    expect(left).toBeLessThanOrEqual(2400);
    await beginEarlier(code, 40);
    expect(await signIn(code)).toMatchObject({
      kind: 'Access-Reject',
      attributes: { 'Reply-Message': 'This voucher has ended (time)' },
    });
    await api.app.sync();
    expect(await listed(code)).toMatchObject({ status: 'expired', used_count: 1 });
  });

  test('a voucher of 60 days lasts 60 days', async () => {
    const days = 24 * 60;
    const code = await order({ expire_minutes: 60 * days });
    await account(code, 'Start');
    await beginEarlier(code, 59 * days);
    expect(seconds((await signIn(code)).attributes['Session-Timeout'])).toBeGreaterThan(86_000);
    await beginEarlier(code, days);
    expect((await signIn(code)).kind).toBe('Access-Reject');
  });

  test('as many devices sign in as were ordered, and those again', async () => {
    const code = await order({ max_uses: 2 });
    await account(code, 'Start');
    const second = { 'Calling-Station-Id': 'AA-00-00-00-00-02', 'Acct-Session-Id': `t-${code}` };
    expect((await signIn(code, 'AA-00-00-00-00-02')).kind).toBe('Access-Accept');
    await account(code, 'Start', second);
    expect((await signIn(code, 'AA-00-00-00-00-03')).attributes['Reply-Message']).toContain('devices');
    expect((await signIn(code)).kind).toBe('Access-Accept');
    await api.app.sync();
    expect(await listed(code)).toMatchObject({
      status: 'used',
      used_count: 2,
      expires_at: expect.any(String),
    });
  });

  test('its volume is that of all its sessions', async () => {
    const code = await order({ qos: { quota_mb: 1 } });
    await account(code, 'Start');
    await account(code, 'Interim-Update', { 'Acct-Input-Octets': 150_000, 'Acct-Output-Octets': 250_000 });
    expect((await signIn(code)).attributes['Mikrotik-Total-Limit']).toBe('600000');
    await account(code, 'Stop', { 'Acct-Input-Octets': 500_000, 'Acct-Output-Octets': 600_000 });
    expect((await signIn(code)).attributes['Reply-Message']).toContain('volume');
  });

  test('a revoked voucher is refused, and its guest is disconnected', async () => {
    const code = await order();
    expect((await signIn(code)).kind).toBe('Access-Accept');
    await account(code, 'Start');
    const { body } = await api.admin.get(`/vouchers?text=${code}`);
    const [voucher] = (body as { vouchers: { id: number }[] }).vouchers;
    const before = radius.output().length;
    expect(await api.admin.post('/vouchers/revocations', { voucherIds: [voucher?.id] })).toMatchObject({
      status: 200,
    });
    expect((await signIn(code)).kind).toBe('Access-Reject');
    const seen = radius.output().slice(before);
    expect(seen).toContain('Received Disconnect-Request');
    expect(seen).toContain(`Acct-Session-Id = "s-${code}"`);
    expect(seen).toContain('Sent Disconnect-ACK');
  });

  test('a server without the policy, which would keep no limit, lets no voucher in', async () => {
    const code = await order();
    const plain = await startFreeRadius(database, { hasPolicy: false });
    try {
      const answer = await plain.send('auth', { 'User-Name': code, 'User-Password': code });
      expect(answer.kind).toBe('Access-Reject');
    } finally {
      await plain.stop();
    }
  });
};

const dialects = [
  ['PostgreSQL', async () => undefined],
  ['MariaDB', () => startRadiusMariaDb()],
] as const;

describe.each(dialects)('a real FreeRADIUS on %s', (name, start) => {
  if (!hasFreeRadius || (name === 'MariaDB' && !hasMariaDb)) {
    test('skipped: FreeRADIUS with its database modules and tools, or MariaDB, is not installed', () =>
      expect(hasFreeRadius && hasMariaDb).toBe(false));
    return;
  }
  let server: Awaited<ReturnType<typeof start>>;
  freeRadiusTests(async () => {
    server = await start();
    return server
      ? server.make(await shippedSchema('mysql'))
      : makeRadiusPostgres(await shippedSchema('postgresql'));
  });
  afterAll(async () => server?.stop());
});
