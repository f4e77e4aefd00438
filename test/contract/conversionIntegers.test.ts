import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { controllerVouchers } from '../support/serviceInternals.js';

// expire_minutes shows every integer: what it was converted to, or 480 where that is below 1.
const instead = 480;

const api = withApi();

const convert = async (json: string): Promise<number> => {
  const body = `{"site_id":${api.siteId},"name":"x","expire_minutes":${json}}`;
  const answer = await api.post('/vouchers.php', body, { key: api.key });
  expect(answer.status).toBe(201);
  return (answer.body as { expire_minutes: number }).expire_minutes;
};

/** What each of these was converted to. */
const convertAll = async (values: readonly string[]) => {
  const converted: [json: string, effective: number][] = [];
  for (const json of values) converted.push([json, await convert(json)]);
  return converted;
};
const toInstead = (values: readonly string[]) => values.map((json) => [json, instead]);

test("a number's fraction is cut off [integer-fraction-cut]", async () => {
  const expected: [string, number][] = [
    ['7', 7],
    ['7.9', 7],
    ['0.9', instead],
    ['-0.9', instead],
    ['-7.9', instead],
    ['7e2', 700],
    ['7.95e1', 79],
  ];
  expect(await convertAll(expected.map(([json]) => json))).toEqual(expected);
});

test('a string is trimmed; a decimal number converts and is cut off [integer-from-text]', async () => {
  const expected: [string, number][] = [
    ['"7"', 7],
    ['" 7 "', 7],
    ['"\\t7\\r\\n"', 7],
    ['"+7"', 7],
    ['"-7"', instead],
    ['"007"', 7],
    ['"7.9"', 7],
    ['"70.5e1"', 705],
    ['"7e2"', 700],
    ['"7E+2"', 700],
    ['"7000e-3"', 7],
  ];
  expect(await convertAll(expected.map(([json]) => json))).toEqual(expected);
});

test('of a limit a number at the beginning counts [integer-leading-number]', async () => {
  const expected: [string, number][] = [
    ['"\\u000b\\f7"', 7],
    ['"5mbit"', 5],
    ['"12abc"', 12],
    ['" 7.9 GB"', 7],
    ['"1_000"', 1],
    ['"1,5"', 1],
    ['"1 000"', 1],
    ['"7e"', 7],
    ['"7e2x"', 700],
    ['"7.5.5"', 7],
    ['"7\\u00a0"', 7],
    ['"-5mbit"', instead],
  ];
  expect(await convertAll(expected.map(([json]) => json))).toEqual(expected);
});

test('any other string is 0 [integer-from-other-text integer-white-space]', async () => {
  const values = [
    '""',
    '" "',
    '"abc"',
    '"abc5"',
    '"0x10"',
    '"0b11"',
    '"--7"',
    '"+ 7"',
    '"e7"',
    '"."',
    '".e5"',
    '"\\u00a07"',
    '"\\u20037"',
    '"\\ufeff7"',
    '"true"',
    '"Infinity"',
    '"NaN"',
    '"７"',
  ];
  expect(await convertAll(values)).toEqual(toInstead(values));
});

test('true is 1, false is 0 [integer-boolean]', async () => {
  expect(await convert('true')).toBe(1);
  expect(await convert('false')).toBe(instead);
});

test('null, arrays and objects are 0 [integer-null-array-object]', async () => {
  const values = ['null', '[]', '[7]', '["7"]', '{}', '{"valueOf":7}'];
  expect(await convertAll(values)).toEqual(toInstead(values));
});

test('what is not finite is 0 [integer-not-finite]', async () => {
  const values = ['1e400', '-1e400', '"1e400"', '"-1e400"'];
  expect(await convertAll(values)).toEqual(toInstead(values));
});

test('every limit of an order is read in this way, so that none becomes "no limit" [integer-leading-number]', async () => {
  const limits = { max_uses: '3 Geräte', expire_minutes: '60min' };
  const qos = { down: '5mbit', up: ' 2 Mbit/s', quota_mb: '1e3MB' };
  const order = { site_id: api.siteId, name: 'x', ...limits, qos };
  const { body } = await api.post('/vouchers.php', order, { key: api.key });
  expect(body).toMatchObject({ max_uses: 3, expire_minutes: 60 });
  const { code } = body as { code: string };
  const made = await controllerVouchers(api, api.siteId);
  expect(made.find((voucher) => voucher.code === code)).toMatchObject({ down: 5, up: 2, quota_mb: 1000 });
});

const numericSiteIds = () => [`${api.siteId}`, `\t\n\v\f\r ${api.siteId} `, `+${api.siteId}.5e0`];
const otherSiteIds = () =>
  ['abc', 'x', '\u00a0', '\u2003', '\ufeff', '\0', ' 0'].flatMap((odd) => [
    `${api.siteId}${odd}`,
    `${odd}${api.siteId}x`,
  ]);

test('site_id in a body is numeric as a whole, or 0 [integer-site-id-whole integer-white-space]', async () => {
  const statusOf = async (site_id: unknown) => (await api.createVoucher({ site_id, name: 'x' })).status;
  for (const value of [api.siteId + 0.9, ...numericSiteIds()])
    expect([value, await statusOf(value)]).toEqual([value, 201]);
  for (const value of otherSiteIds()) expect([value, await statusOf(value)]).toEqual([value, 400]);
});

test('site_id in a query is numeric as a whole, or 0 [integer-site-id-whole integer-white-space]', async () => {
  const statusOf = async (value: string) =>
    (await api.get(`/vouchers.php?site_id=${encodeURIComponent(value)}`, { key: api.key })).status;
  for (const value of numericSiteIds()) expect([value, await statusOf(value)]).toEqual([value, 200]);
  for (const value of [...otherSiteIds(), `\u00a0${api.siteId}`])
    expect([value, await statusOf(value)]).toEqual([value, 400]);
});
