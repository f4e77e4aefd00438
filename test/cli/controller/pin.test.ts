import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../../simulators/certificate.js';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { expectOneLine, program } from '../../support/cli.js';
import { makeConsoleCliFixture, type ConsoleCliFixture } from '../../support/consoleCliFixture.js';
import { until } from '../../support/until.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let cli: ConsoleCliFixture;
const leaks: string[] = [];
beforeEach(async () => {
  cli = await makeConsoleCliFixture();
  await cli.add('Konsole', 'unifi', '--max-calls', '2');
});
afterEach(async () => {
  leaks.push(...(await cli.secretsLeaked()));
  await cli.remove();
});
afterAll(() => expect(leaks).toEqual([]));

const pin = (...options: string[]) => cli.voucherd('controller', 'pin', 'Konsole', ...options);
const settings = async () => (await cli.tables.controllers.all())[0]?.settings;
const tried = async () => (await cli.voucherd('controller', 'test', 'Konsole')).status;
const otherFingerprint = `${'AB:'.repeat(31)}AB`;

describe('controller pin without a fingerprint', () => {
  test('shows the certificate and the command that pins it, and changes nothing', async () => {
    const { fingerprint } = cli.unifi;
    const { status, out, err } = await pin();
    expect(status).toBe(0);
    expect(out).toMatch(/^subject {6}CN=unifi\.local$/m);
    expect(out).toMatch(/^valid {8}from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/m);
    expect(out).toMatch(/^system {7}does not trust it: it is self-signed$/m);
    expect(out).toContain(`\nfingerprint  ${fingerprint}\n`);
    expect(err).toBe(
      `nothing is changed; if the controller itself shows the same fingerprint: ${program} controller pin "Konsole" --fingerprint ${fingerprint}\n`,
    );
    expect(await settings()).toEqual({ url: cli.unifi.url, maxCalls: 2 });
  });

  test('sends nothing', async () => {
    cli.unifi.resetCounts();
    await pin();
    await until('the console has seen the handshake', () => cli.unifi.counts.handshakes === 1);
    expect(cli.unifi.counts).toMatchObject({ calls: 0, logins: 0, byRoute: {} });
  });

  test('with --json prints the same', async () => {
    expect(JSON.parse((await pin('--json')).out)).toEqual({
      name: 'Konsole',
      subject: 'CN=unifi.local',
      issuer: 'CN=unifi.local',
      validFrom: expect.stringMatching(rfc3339),
      validTo: expect.stringMatching(rfc3339),
      fingerprint: cli.unifi.fingerprint,
      distrust: 'self-signed',
      pinned: false,
    });
  });

  test('with --yes pins what it saw', async () => {
    expect(await tried()).toBe(1);
    const { status, err } = await pin('--yes');
    expect([status, err]).toEqual([
      0,
      `pinned: Konsole is trusted with this certificate only; try it: ${program} controller test "Konsole"\n`,
    ]);
    expect(await settings()).toEqual({
      url: cli.unifi.url,
      maxCalls: 2,
      fingerprint: cli.unifi.fingerprint,
    });
    expect(await tried()).toBe(0);
  });
});

describe('controller pin with a fingerprint', () => {
  test('pins the certificate that has it, however it is written', async () => {
    const written = cli.unifi.fingerprint.replaceAll(':', '').toLowerCase();
    expect((await pin('--fingerprint', written)).status).toBe(0);
    expect(await settings()).toMatchObject({ fingerprint: cli.unifi.fingerprint });
    expect(await tried()).toBe(0);
  });

  test('of another certificate says both, and pins nothing', async () => {
    expectOneLine(
      await pin('--fingerprint', otherFingerprint, '--yes'),
      `voucherd: not pinned: Konsole shows a certificate with the fingerprint ${cli.unifi.fingerprint}, not ${otherFingerprint}`,
    );
    expect(await settings()).not.toHaveProperty('fingerprint');
  });

  test('that is none gives one clear line', async () => {
    expectOneLine(await pin('--fingerprint', 'AB'), 'voucherd: --fingerprint: AB is not allowed: SHA-256');
  });

  test('replaces a CA', async () => {
    const { cert } = await makeCertificate('ca.local');
    const file = await cli.file(cert);
    await cli.add('Mit CA', 'unifi', '--ca-file', file);
    await cli.voucherd('controller', 'pin', 'Mit CA', '--fingerprint', cli.unifi.fingerprint);
    const withCa = (await cli.tables.controllers.all()).find(({ name }) => name === 'Mit CA');
    expect(withCa?.settings).toEqual({ url: cli.unifi.url, fingerprint: cli.unifi.fingerprint });
  });

  test('after the controller got a new certificate, the old one no longer counts', async () => {
    await pin('--yes');
    const port = Number(new URL(cli.unifi.url).port);
    await cli.unifi.stop();
    const renewed = await startUnifiConsole({ port, apiKey: cli.unifi.apiKey });
    try {
      const { out } = await cli.voucherd('controller', 'test', 'Konsole');
      expect(out).toContain(`${program} controller pin "Konsole" --fingerprint ${renewed.fingerprint}`);
      expect(renewed.counts.calls).toBe(0);
      expect((await pin('--fingerprint', renewed.fingerprint)).status).toBe(0);
      expect(await tried()).toBe(0);
    } finally {
      await renewed.stop();
    }
  });
});

test('a controller that trusts the console’s own CA needs no pin', async () => {
  const file = await cli.file(cli.unifi.certificate);
  await cli.add('Mit CA', 'unifi', '--ca-file', file);
  const { status, out } = await cli.voucherd('controller', 'test', 'Mit CA');
  expect([status, out]).toEqual([0, expect.stringContaining('It is signed by the given CA')]);
});

describe('controller pin of a certificate that has expired', () => {
  let expired: UnifiConsole;
  beforeEach(async () => {
    const certificate = await makeCertificate('unifi.local', {
      notBeforeDate: new Date('2024-01-01'),
      notAfterDate: new Date('2024-02-01'),
    });
    expired = await startUnifiConsole({ certificate, apiKey: cli.unifi.apiKey });
    await cli.voucherd('controller', 'set', 'Konsole', '--url', expired.url);
  });
  afterEach(() => expired.stop());
  const warning = 'warning: this certificate has expired: it was valid until 2024-02-01. ';

  test('warns of it, and changes nothing', async () => {
    const { out, err } = await pin();
    expect(out).toMatch(/^system {7}does not trust it: it has expired: it was valid until 2024-02-01$/m);
    expect(err).toContain(`${warning}If you pin it, it is trusted anyway: only its fingerprint counts`);
    expect(await settings()).not.toHaveProperty('fingerprint');
  });

  test('pins it when it is told to, and says what that means', async () => {
    const { status, err } = await pin('--fingerprint', expired.fingerprint);
    expect(status).toBe(0);
    expect(err).toContain(`${warning}It is pinned anyway: only its fingerprint counts`);
    expect(await tried()).toBe(0);
  });

  test('with --json says so in the data, too', async () => {
    expect(JSON.parse((await pin('--json')).out)).toMatchObject({ distrust: 'expired', pinned: false });
  });
});

test('a controller that can not be reached gives one clear line', async () => {
  await cli.unifi.stop();
  expectOneLine(
    await pin('--yes'),
    /^voucherd: Konsole, https:\/\/127\.0\.0\.1:\d+: it can not be reached: the connection was refused; check its address and port/,
  );
});
