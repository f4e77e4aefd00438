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

type Stored = readonly [json: string, name: string];

/** Each of them with the name under which it is stored. */
const storeAll = async (names: readonly Stored[]): Promise<Stored[]> => {
  const all: Stored[] = [];
  for (const [json] of names) all.push([json, await stored(json)]);
  return all;
};

test('of white space, the six ASCII characters are trimmed from a name [order-name-trimmed name-white-space]', async () => {
  const names: Stored[] = [
    ['" Familie Berger "', 'Familie Berger'],
    ['"\\t\\r\\n\\u000b\\fx y\\f\\u000b\\n\\r\\t"', 'x y'],
    ['" \\u00a0x\\u3000 "', '\u00a0x\u3000'],
    ['"\\u2028 x \\ufeff"', '\u2028 x \ufeff'],
    ['"\\u00a0"', '\u00a0'],
  ];
  expect(await storeAll(names)).toEqual(names);
});

test('a number converts to the text that was sent [name-from-number]', async () => {
  const names: Stored[] = [
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
  ];
  expect(await storeAll(names)).toEqual(names);
});

test('a name of 255 characters is not too long, whatever they are stored in', async () => {
  for (const name of ['x'.repeat(255), '😀'.repeat(255)])
    expect(await stored(JSON.stringify(name))).toBe(name);
});

test('the length counts after trimming and without NUL characters [name-too-long name-without-nul]', async () => {
  const name = 'x'.repeat(255);
  expect(await stored(JSON.stringify(`  \0${name}\0  `))).toBe(name);
});

test('NUL characters are removed before trimming [name-without-nul]', async () => {
  expect(await stored('"\\u0000 Fam\\u0000ilie \\u0000"')).toBe('Familie');
});

test('an unpaired surrogate becomes U+FFFD [name-unpaired-surrogate]', async () => {
  const names: Stored[] = [
    ['"a\\ud800b"', 'a\ufffdb'],
    ['"\\udc00"', '\ufffd'],
    ['"\\udc00\\ud800"', '\ufffd\ufffd'],
    ['"\\ud83d\\u0000\\ude00"', '😀'],
  ];
  expect(await storeAll(names)).toEqual(names);
  // SQLite would do the same to what it stores; a controller gets what the contract has made of it.
  const convert = compileConversion({ type: 'string', 'x-lenient': true, 'x-trim': true });
  expect(names.map(([json]) => [json, convert(JSON.parse(json))])).toEqual(names);
});

test('everything else stays as it was sent [name-kept-otherwise]', async () => {
  const names = [
    'Zoë & "Söhne" <b>\'x\'</b> \\ / %00 ${x} {{x}}',
    'a\tb\nc\u0001\u007f\u200b\u202e',
    'e\u0301 é 😀 👩‍👩‍👧 日本 עברית',
    "'); drop table vouchers; --",
    '__proto__',
  ].map((name): Stored => [JSON.stringify(name), name]);
  expect(await storeAll(names)).toEqual(names);
});
