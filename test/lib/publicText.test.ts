import { describe, expect, test } from '@jest/globals';
import { publicText } from '../../src/lib/publicText.js';

const key = `uvt_${'0123456789'.repeat(4)}`;

test("an exception's text never contains a credential, a cookie, a token or a URL with user information", () => {
  const texts: [what: string, text: string | undefined, secret: string][] = [
    ['an API key', `no such key ${key}`, key.slice(4)],
    ['an API key in capitals', `no such key ${key.toUpperCase()}`, key.slice(4)],
    ['a bearer token', 'sent Authorization: Bearer abc.def-ghi', 'abc'],
    ['a basic credential', 'sent Authorization: Basic dXNlcjpnZWhlaW0=', 'dXNlcjpnZWhlaW0'],
    ['a header of ours', 'sent X-API-Key: geheim', 'geheim'],
    ['a header as JSON', '{"x-api-key":"geheim heit","status":401}', 'geheim'],
    ['a cookie', 'sent Cookie: unifises=geheim', 'geheim'],
    ['the second of two cookies', 'sent Cookie: lang=de; TOKEN=geheim', 'geheim'],
    ['a cookie that is set', 'got Set-Cookie: unifises=geheim; Path=/; HttpOnly', 'geheim'],
    ['a second cookie that is set', 'got Set-Cookie: a=b; csrf_token=geheim', 'geheim'],
    ['a password', 'login failed: password=geheim', 'geheim'],
    ['a password in quotes', 'login failed: password="mein geheim"', 'geheim'],
    ['a password as JSON', '{"username":"admin","password":"geheim"}', 'geheim'],
    ['a password with a comma', '{"password":"a,geheim"}', 'geheim'],
    ['an access token', 'refused: access_token=geheim', 'geheim'],
    ['a client secret as JSON', '{"client_secret":"geheim"}', 'geheim'],
    ['a URL with user information', 'GET https://admin:geheim@console.local/api failed', 'geheim'],
    ['a URL with a password that holds @', 'GET https://admin:pass@geheim@console.local/ failed', 'geheim'],
    ['an address that looks like a form of one', 'postgres://USER@HOST:geheim@db/voucherd', 'geheim'],
    ['one with a password in place of PASSWORD', 'postgres://USER:geheim@HOST/voucherd', 'geheim'],
    ['a database URL', 'can not open postgres://uv:geheim@db/voucherd', 'geheim'],
    ['a password whose quotes are never closed', 'refused: {"password":"a, geheim', 'geheim'],
    ['a password with an escape at the end', 'refused: {"password":"a geheim\\', 'geheim'],
    ['a name of a password that is long', `${'x'.repeat(99)}-token-${'y'.repeat(99)}: geheim`, 'geheim'],
    ['what is thrown without being an Error', undefined, 'geheim'],
  ];
  for (const [what, text, secret] of texts) {
    const shown = publicText(text === undefined ? 'password=geheim' : new Error(text));
    const isShown = shown.toLowerCase().includes(secret.toLowerCase());
    expect({ what, isShown, shown }).toEqual({ what, isShown: false, shown: expect.stringContaining('…') });
  }
});

test('what is thrown without being an Error is described', () => {
  expect(publicText({ code: 7, message: 'no route' })).toBe('no route');
  expect(publicText({ code: 7 })).toBe('{ code: 7 }');
});

test("an exception's text is otherwise the exception's", () => {
  const texts = [
    'Der Controller hat die Bestellung abgelehnt',
    'connect ECONNREFUSED 127.0.0.1:8443',
    'GET https://console.local/api/voucher?limit=200 failed - status 503',
    'mail to admin@example.org was refused',
    'select one - or two',
    'is not allowed: a SQLite file, or postgres://USER@HOST/DATABASE',
    'mysql://USER@HOST:PORT/DATABASE, or mysql://USER@localhost/DATABASE?socket=/path',
    'smtp://USER:PASSWORD@HOST',
  ];
  expect(texts.map((text) => publicText(new Error(text)))).toEqual(texts);
});

describe('a text that is longer than anybody has to say is cut before it is looked at', () => {
  const filler = 'Wort '.repeat(818);

  test('and says so', () => {
    const shown = publicText(new Error(`anfangs ${filler}Wort Wort Wort`));
    expect(shown).toHaveLength(4094);
    expect(shown).toMatch(/^anfangs (Wort )+…$/);
  });

  test('4,096 characters are shown', () => {
    const text = 'Wort '.repeat(820).slice(0, 4096);
    expect(publicText(new Error(text))).toBe(text);
  });

  test('a secret that is cut in two is hidden', () => {
    for (const [what, secret] of [
      ['a URL', 'https://admin:geheim-geheim@console.local/'],
      ['an API key', `X-API-Key: uvt_${'geheim0'.repeat(9)}`],
      ['a quoted value', '{"password":"so geheim wie geheim"}'],
      ['a bearer token', 'Bearer geheimgeheimgeheim'],
    ] as const)
      for (let before = 4060; before < 4100; before += 1) {
        const text = filler.slice(0, before).trimEnd();
        const shown = publicText(new Error(`${text} ${secret} danach`));
        expect({ what, before, isShown: shown.includes('geh') }).toEqual({ what, before, isShown: false });
      }
  });

  test('a word that never ends is not shown', () => {
    expect(publicText(new Error('geheim'.repeat(1000)))).toBe('…');
  });
});
