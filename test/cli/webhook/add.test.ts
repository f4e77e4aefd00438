import { describe, expect, test } from '@jest/globals';
import { expectOneLine } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { randomSecret } from '../../support/secretLeaks.js';

const cli = forAllTests(makeCliFixture, 'remove');

const secretParts = [randomSecret(), randomSecret()] as const;
const [part] = secretParts;
const address = `https://hooks.example.org/T00/${secretParts.join('/')}Ab3x`;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const webhooks = async () =>
  JSON.parse((await cli.voucherd('webhook', 'list', '--json')).out) as Record<string, unknown>[];
const named = async (name: string) => (await webhooks()).find((webhook) => webhook['name'] === name);
const add = (...options: string[]) => cli.voucherd('webhook', 'add', ...options);

describe('webhook add', () => {
  test.each(['slack', 'mattermost', 'discord', 'teams', 'google-chat', 'php-tool'])(
    'of the format %s prints the name',
    async (format) => {
      expect(await cli.add(` Chat ${format} `, format, address)).toEqual({
        status: 0,
        out: `Chat ${format}\n`,
        err: '',
      });
    },
  );

  test('of the format generic makes a secret and prints it, alone', async () => {
    const { status, out, err } = await cli.add('Programm', 'generic', address);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  });

  test('with a secret that was given prints the name', async () => {
    const file = await cli.file(`${secret}\n`);
    const { out } = await cli.add('Gegeben', 'generic', address, '--secret-file', file);
    expect(out).toBe('Gegeben\n');
  });

  test('with --json prints what was added, and the secret when one was made', async () => {
    const { out } = await cli.add('J1', 'generic', address, '--language', 'en', '--json');
    expect(JSON.parse(out)).toEqual({
      id: expect.any(Number),
      name: 'J1',
      reportsControllers: false,
      format: 'generic',
      language: 'en',
      address: 'https://hooks.example.org/…Ab3x',
      secret: expect.stringMatching(/^whsec_/),
    });
    const chat = await cli.add('J2', 'slack', address, '--json');
    expect(JSON.parse(chat.out)).not.toHaveProperty('secret');
  });

  test('proposes German', async () => {
    await cli.add('Sprache', 'slack', address);
    expect(await named('Sprache')).toMatchObject({ language: 'de' });
  });
});

describe('webhook add refuses with one clear line', () => {
  test.each([
    [
      'http://127.0.0.1/x',
      /the address is not allowed: 127\.0\.0\.1 is a loopback address; list it in WEBHOOK_/,
    ],
    ['http://[::1]/x', 'is a loopback address'],
    ['http://2130706433/x', 'is a loopback address'],
    ['http://0x7f.1/x', 'is a loopback address'],
    ['http://169.254.169.254/x', 'is a link-local address'],
    ['http://10.0.0.1/x', 'is a private address'],
    ['http://localhost/x', 'localhost is this machine'],
    [`ftp://example.org/${part}`, 'only https:// and http:// are allowed'],
    [`https://nutzer:${part}@example.org/`, 'a user name or password in the address is not allowed'],
    [part, 'not an address of the form https://host/path'],
    ['  ', 'what --url-env names is empty'],
    ['x'.repeat(20_000), 'what --url-env names is longer than a secret may be'],
  ])('the address %#', async (wrong, line) => {
    expectOneLine(await cli.add('Falsch', 'slack', wrong), line);
    expect(await named('Falsch')).toBeUndefined();
  });

  test.each([
    [
      ['--format', 'fax'],
      'voucherd: --format: "fax" is not allowed: one of generic, slack, mattermost, disc',
    ],
    [
      ['--format', 'slack', '--language', 'pl'],
      'voucherd: --language: "pl" is not allowed: one of de, en, es, fr, it, nl',
    ],
    [
      ['--format', 'slack'],
      'voucherd: the address is missing: give --url-file FILE (- is standard input) or',
    ],
    [['--format', 'slack', '--url-env', address], 'voucherd: --url-env names a variable that is not set'],
    [['--format', 'slack', '--url-file', address], 'voucherd: the file that --url-file names '],
    [['--format', 'slack', `--url=${address}`], "voucherd: unknown option '--url'"],
    [
      ['--format', 'slack', '--url-env', 'A', '--url-file', 'b'],
      '--url-file and --url-env exclude each other',
    ],
    [['--format', 'generic', '--url-file', '-', '--secret-file', '-'], 'can not both be standard input'],
  ])('%j', async (options, line) => {
    expectOneLine(await add('--name', 'Falsch', ...options), line);
  });

  test.each([part, `whsec_${part}`, `${secret}!`, 'whsec_'])('the secret %j', async (wrong) => {
    const file = await cli.file(wrong);
    expectOneLine(
      await cli.add('Falsch', 'generic', address, '--secret-file', file),
      'voucherd: the given secret is not allowed: whsec_ and base64 of 24 to 64 bytes',
    );
  });

  test('a secret for a format that does not sign', async () => {
    const file = await cli.file(secret);
    expectOneLine(
      await cli.add('Falsch', 'slack', address, '--secret-file', file),
      'voucherd: the format slack does not sign: it takes no secret',
    );
  });

  test('a name that is taken', async () => {
    await cli.add('Zwilling', 'slack', address);
    expectOneLine(
      await cli.add('Zwilling', 'slack', address),
      'voucherd: --name: there is already a webhook named "Zwilling"',
    );
  });
});

test('no address and no given secret is ever printed, or readable in the database', async () => {
  expect(await cli.leaked([...secretParts, secret, secret.slice(6)])).toEqual([]);
  // What was looked for would have been found.
  expect(await cli.leaked(['hooks.example.org', 'Zwilling'])).toHaveLength(2);
});
