import fc from 'fast-check';
import { integerField, objectOf, oddText, textField } from './json.js';

const limit = 64 * 1024;
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Orders for one of these sites, more or less as the contract wants them. */
const orders = (siteIds: readonly number[]): fc.Arbitrary<string> => {
  const goodSite = fc.constantFrom(...siteIds).map(String);
  const qos = fc.oneof(
    { weight: 4, arbitrary: objectOf({ down: integerField, up: integerField, quota_mb: integerField }, 3) },
    { weight: 1, arbitrary: integerField },
  );
  const rest = { max_uses: integerField, expire_minutes: integerField, qos };
  return fc.oneof(
    { weight: 9, arbitrary: objectOf({ site_id: goodSite, name: textField, ...rest }, 20) },
    { weight: 3, arbitrary: objectOf({ site_id: integerField, name: textField, ...rest }) },
    // A few whose bodies are likely to be the same, for idempotency keys that are used again.
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('A', 'B')
        .map((name) => `{"site_id":${String(siteIds[0])},"name":"${name}"}`),
    },
  );
};

const spoilt = (order: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc.tuple(order, fc.nat()).map(([text, at]) => bytes(text.slice(0, at % Math.max(1, text.length)))),
    order.map((text) => bytes(`\ufeff${text}`)),
    order.map((text) => Buffer.from(text, 'utf16le')),
    order.map((text) => bytes(`${text}${text}`)),
    order.map((text) => bytes(text.replaceAll('"', "'"))),
    order.map((text) => bytes(text.replace(/\}$/, ',}'))),
    order.map((text) => bytes(`${text}\0`)),
  );

/** Bytes that are no UTF-8, inside a text that would be an order. */
const notUtf8 = fc
  .tuple(fc.constantFrom([0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]), oddText)
  .map(([bad, name]) => {
    const text = JSON.stringify(name);
    return Buffer.concat([bytes(`{"site_id":1,"name":${text.slice(0, -1)}`), Buffer.from(bad), bytes('"}')]);
  });

const deep = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"qos":'), fc.constantFrom(10, 1000, 7000), fc.boolean())
  .map(([open, depth, closed]) => {
    const close = open === '[' ? ']' : open === '{"a":' ? '}' : '}]';
    const nested = `${open.repeat(depth)}1${closed ? close.repeat(depth) : ''}`;
    return bytes(depth === 1000 ? `{"site_id":1,"name":"tief","qos":{"down":${nested}}}` : nested);
  });

/** Around the limit: exactly as large as allowed, one byte more, and more than that. */
const large = fc
  .tuple(fc.constantFrom(limit - 1, limit, limit + 1, limit + 5000, 3 * limit), fc.boolean())
  .map(([size, blanks]) => {
    const head = '{"site_id":1,"name":"groß"';
    const tail = blanks ? '}' : ',"x":""}';
    const padding = size - bytes(head + tail).length;
    return bytes(blanks ? head + ' '.repeat(padding) + tail : `${head},"x":"${'x'.repeat(padding)}"}`);
  });

/** Bodies of POST /vouchers.php: good orders, bad ones, and what is none. */
export const bodies = (siteIds: readonly number[]): fc.Arbitrary<Buffer | undefined> => {
  const order = orders(siteIds);
  return fc.oneof(
    { weight: 30, arbitrary: order.map(bytes) },
    { weight: 3, arbitrary: spoilt(order) },
    { weight: 2, arbitrary: fc.json().map(bytes) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)) },
    { weight: 1, arbitrary: notUtf8 },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: large },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, bytes(''), bytes('null'), bytes('"{}"'), bytes('1e400')),
    },
  );
};
