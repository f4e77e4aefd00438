import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { compileConversion } from '../../src/contract/conversion.js';

const api = withApi();

/** The name under which a voucher is stored, without its date. */
const stored = async (json: string): Promise<string> => {
  const body = `{"site_id":${api.siteId},"name":${json}}`;
  expect(await api.post('/vouchers.php', body, { key: api.key })).toMatchObject({ status: 201 });
  const list = await api.listVouchers();
  const [newest] = (list.body as { vouchers: { voucher_name: string }[] }).vouchers;
  const [, name] = /^\d{4}-\d\d-\d\d_(.*)$/su.exec(newest!.voucher_name)!;
  return name!;
};

test.each([
  ['" Familie Berger "', 'Familie Berger'],
  ['"\\t\\r\\n\\u000b\\fx y\\f\\u000b\\n\\r\\t"', 'x y'],
  ['" \\u00a0x\\u3000 "', '\u00a0x\u3000'],
  ['"\\u2028 x \\ufeff"', '\u2028 x \ufeff'],
  ['"\\u00a0"', '\u00a0'],
])(
  'of white space, the six ASCII characters are trimmed from a name: %s [order-name-trimmed name-white-space]',
  async (json, expected) => {
    expect(await stored(json)).toBe(expected);
  },
);

test.each([
  ['7', '7'],
  ['0', '0'],
  ['-1.50', '-1.50'],
  ['1e3', '1e3'],
  ['1.0', '1.0'],
  ['-0', '-0'],
  ['9007199254740993', '9007199254740993'],
  ['1e400', '1e400'],
  ['1E+2', '1E+2'],
  ['1.0,"x":"name","qos":{"name":2.0,"y":[1.0,"\\"1.0"]}', '1.0'],
  ['"1.0\\\\","qos":{"name":2.0}', '1.0\\'],
  ['2.0,"name":1.0', '1.0'],
  ['1.0,"name":"x\\"2.0"', 'x"2.0'],
  ['1.0,"name":7', '7'],
  ['{"name":1.0},"name":3.0', '3.0'],
  ['1.0,"__proto__":{"name":5.0}', '1.0'],
])('a number converts to the text that was sent: %s [name-from-number]', async (json, expected) => {
  expect(await stored(json)).toBe(expected);
});

test.each([
  ['255 characters', 'x'.repeat(255)],
  ['255 code points of two units each', '😀'.repeat(255)],
])('a name of %s is not too long', async (_, name) => {
  expect(await stored(JSON.stringify(name))).toBe(name);
});

test('the length counts after trimming and without NUL characters [name-too-long name-without-nul]', async () => {
  const name = 'x'.repeat(255);
  expect(await stored(JSON.stringify(`  \0${name}\0  `))).toBe(name);
});

test('NUL characters are removed before trimming [name-without-nul]', async () => {
  expect(await stored('"\\u0000 Fam\\u0000ilie \\u0000"')).toBe('Familie');
});

test.each([
  ['"a\\ud800b"', 'a\ufffdb'],
  ['"\\udc00"', '\ufffd'],
  ['"\\udc00\\ud800"', '\ufffd\ufffd'],
  ['"\\ud83d\\u0000\\ude00"', '😀'],
])('an unpaired surrogate becomes U+FFFD: %s [name-unpaired-surrogate]', async (json, expected) => {
  expect(await stored(json)).toBe(expected);
  // SQLite would do the same to what it stores; a controller gets what the contract has made of it.
  expect(compileConversion({ type: 'string', 'x-lenient': true, 'x-trim': true })(JSON.parse(json))).toBe(
    expected,
  );
});

test.each([
  'Zoë & "Söhne" <b>\'x\'</b> \\ / %00 ${x} {{x}}',
  'a\tb\nc\u0001\u007f\u200b\u202e',
  'e\u0301 é 😀 👩‍👩‍👧 日本 עברית',
  "'); drop table vouchers; --",
  '__proto__',
])('everything else stays as it was sent: %j [name-kept-otherwise]', async (name) => {
  expect(await stored(JSON.stringify(name))).toBe(name);
});
