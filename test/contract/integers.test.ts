import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startService, type TestService } from '../support/service.js';

// expire_minutes shows every integer: what it was converted to, or 480 where that is below 1.
const instead = 480;

let service: TestService;
let key: string;
let siteId: number;

beforeAll(async () => {
  service = await startService();
  key = await service.addKey();
  siteId = await service.addSite();
});
afterAll(() => service.stop());

const convert = async (json: string): Promise<number> => {
  const body = `{"site_id":${siteId},"name":"x","expire_minutes":${json}}`;
  const answer = await service.post('/vouchers.php', body, { key });
  expect(answer.status).toBe(201);
  return (answer.body as { expire_minutes: number }).expire_minutes;
};

test.each([
  ['7', 7],
  ['7.9', 7],
  ['0.9', instead],
  ['-0.9', instead],
  ['-7.9', instead],
  ['7e2', 700],
  ['7.95e1', 79],
])("a number's fraction is cut off: %s is %d", async (json, expected) => {
  expect(await convert(json)).toBe(expected);
});

test.each([
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
])('a string is trimmed; a decimal number converts and is cut off: %s is %d', async (json, expected) => {
  expect(await convert(json)).toBe(expected);
});

test.each([
  '"12abc"',
  '""',
  '" "',
  '"abc"',
  '"0x10"',
  '"0b11"',
  '"1_000"',
  '"1,5"',
  '"1 000"',
  '"--7"',
  '"7e"',
  '"e7"',
  '"."',
  '"true"',
  '"Infinity"',
  '"NaN"',
  '"７"',
])('any other string is 0: %s', async (json) => {
  expect(await convert(json)).toBe(instead);
});

test('true is 1, false is 0', async () => {
  expect(await convert('true')).toBe(1);
  expect(await convert('false')).toBe(instead);
});

test.each(['null', '[]', '[7]', '["7"]', '{}', '{"valueOf":7}'])(
  'null, arrays and objects are 0: %s',
  async (json) => {
    expect(await convert(json)).toBe(instead);
  },
);

test.each(['1e400', '-1e400', '"1e400"', '"-1e400"'])('what is not finite is 0: %s', async (json) => {
  expect(await convert(json)).toBe(instead);
});

test('site_id in a body is converted in the same way', async () => {
  for (const site_id of [`${siteId}`, siteId + 0.9, ` +${siteId}.5e0 `]) {
    const { status } = await service.post('/vouchers.php', { site_id, name: 'x' }, { key });
    expect(status).toBe(201);
  }
});
