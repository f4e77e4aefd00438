import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { credentials, headerText } from './access.js';
import { oddHeaders } from './headers.js';
import { numberLikeText, oddText } from './json.js';
import { siteOfQuery } from './model.js';
import { runs, startFuzzed, type Fuzzed } from './setup.js';

let fuzzed: Fuzzed;
const codes = new Map<number, string[]>();
const etags: string[] = [];

beforeAll(async () => {
  fuzzed = await startFuzzed();
  const { service, keys, sites } = fuzzed;
  for (const [siteId, count] of [
    [sites.active[0], 3],
    [sites.active[1], 1],
  ] as const) {
    for (let number = 0; number < count; number++) {
      const made = await service.post('/vouchers.php', { site_id: siteId, name: 'x' }, { key: keys.write });
      const { code } = made.body as { code: string };
      codes.set(siteId, [code, ...(codes.get(siteId) ?? [])]);
    }
    const list = await service.get(`/vouchers.php?site_id=${siteId}`, { key: keys.read });
    etags.push(list.headers.etag!);
  }
});
afterAll(() => fuzzed.stop());

/** Percent-encodes as a client would, or every byte, or only what can't stand in a request line. */
const encoded = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    encodeURIComponent(text.toWellFormed()),
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    Buffer.from(text)
      .toString('latin1')
      .replace(/[^\x21-\x7e]|[#&]/g, ''),
  );

const values = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map(String) },
  { weight: 3, arbitrary: numberLikeText.chain(encoded) },
  { weight: 1, arbitrary: oddText.chain(encoded) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%', '%1', '%zz1', '1%', '%ff', '%u0031', '%00', '1%001', '+1', '1+'),
  },
);
const names = fc.oneof(
  fc.constantFrom('site_id', 'site%5fid', 'SITE_ID', 'siteid', '__proto__', 'constructor', 'hasOwnProperty'),
  oddText.chain(encoded).map((text) => text.replaceAll('=', '')),
);
const siteParameter = values.map((value) => `site_id=${value}`);
const otherParameters = fc.array(
  fc.oneof(
    fc.tuple(names, values).map(([name, value]) => `${name}=${value}`),
    names,
    fc.constantFrom('', '=', '=1', 'site_id', 'site_id=', 'limit=1'),
  ),
  { maxLength: 4 },
);
const queries = fc.oneof(
  { weight: 4, arbitrary: siteParameter },
  {
    weight: 3,
    arbitrary: fc
      .tuple(siteParameter, otherParameters)
      .chain(([site, others]) =>
        fc
          .shuffledSubarray([site, ...others], { minLength: others.length + 1 })
          .map((parameters) => parameters.join('&')),
      ),
  },
  { weight: 1, arbitrary: otherParameters.map((parameters) => parameters.join('&')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('site_id=1&site_id=1', 'site_id[]=1', 'site_id[0]=1', 'site_id=1?x'),
  },
);

const conditions = (): fc.Arbitrary<[string, string][]> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 2,
      arbitrary: fc
        .oneof(
          fc.constantFrom('*', ...etags, ...etags.map((tag) => `W/${tag}`), `"x", ${etags.join(',')}`),
          headerText,
        )
        .map((value): [string, string][] => [['If-None-Match', value]]),
    },
  );

test('every answer of listVouchers is documented and is the one that the specification asks for', async () => {
  const { client, keys, expectDocumented } = fuzzed;
  const request = fc.record({
    access: credentials(keys),
    query: queries,
    condition: conditions(),
    headers: oddHeaders,
    body: fc.option(fc.uint8Array({ maxLength: 50 }), { freq: 10, nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ access, query, condition, headers, body }) => {
      const answer = await client.send({
        method: 'GET',
        path: `/vouchers.php?${query}`,
        headers: [...access.headers, ...condition, ...headers],
        body,
      });
      expectDocumented('listVouchers', answer);
      if (access.standing === 'limited' && answer.status === 429) return;
      if (access.standing === 'none') {
        expect(answer.status).toBe(401);
        return;
      }
      const siteId = siteOfQuery(query);
      if (siteId === undefined) {
        expect(answer.status).toBe(400);
        expect(JSON.parse(answer.text)).toEqual({
          error: 'invalid_request',
          message: 'site_id erforderlich',
        });
        return;
      }
      if (answer.status === 304) {
        const [[, wanted] = []] = condition;
        expect(wanted?.trim() === '*' || wanted?.includes(String(answer.headers.etag))).toBe(true);
        return;
      }
      expect(answer.status).toBe(200);
      const { vouchers } = JSON.parse(answer.text) as { vouchers: { voucher_code: string }[] };
      expect(vouchers.map(({ voucher_code: code }) => code)).toEqual(codes.get(siteId) ?? []);
    }),
    runs(),
  );
});
