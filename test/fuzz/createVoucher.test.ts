import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Received } from '../support/keepAliveClient.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { credentials, type Standing } from './access.js';
import { bodies } from './bodies.js';
import { oddHeaders } from './headers.js';
import { dateOf, readBody, type Effective } from './model.js';
import { requests, runs, startFuzzed, type Fuzzed } from './setup.js';

let fuzzed: Fuzzed;

beforeAll(async () => {
  fuzzed = await startFuzzed();
});
afterAll(() => fuzzed.stop());

type Idempotency = { kind: 'none' | 'valid' | 'invalid'; headers: [string, string][] };

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 255,
});
const idempotency: fc.Arbitrary<Idempotency> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Idempotency>({ kind: 'none', headers: [] }) },
  { weight: 3, arbitrary: fc.oneof(visible, fc.constantFrom('a', 'b', '~'.repeat(255))).map(valid) },
  { weight: 1, arbitrary: fc.constantFrom('', 'a b', 'ä', 'x'.repeat(256), '\x80').map(invalid) },
  { weight: 1, arbitrary: fc.constant<Idempotency>(twice('c')) },
);

function valid(key: string): Idempotency {
  return { kind: 'valid', headers: [['Idempotency-Key', key]] };
}
function invalid(key: string): Idempotency {
  return { kind: 'invalid', headers: [['Idempotency-Key', key]] };
}
function twice(key: string): Idempotency {
  const header: [string, string] = ['Idempotency-Key', key];
  return { kind: 'invalid', headers: [header, header] };
}

interface Expected {
  readonly status: number;
  readonly message?: string;
}

/** What the specification's order of checks makes of a request; `order` when a voucher is due. */
const expected = (standing: Standing, reading: ReturnType<typeof readBody>, key: Idempotency): Expected => {
  if (standing === 'none') return { status: 401 };
  if (standing === 'read') return { status: 403, message: 'Dem API-Schlüssel fehlt der Scope write' };
  if (reading.status !== 201) return reading;
  if (key.kind === 'invalid') return { status: 400 };
  if (!fuzzed.names.has(reading.order.site_id)) return { status: 404, message: 'Site nicht gefunden' };
  return { status: 201 };
};

const messageOf = ({ text }: Received): unknown => (JSON.parse(text) as { message?: string }).message;

/** The voucher is told, recorded and on the controller with the same, effective values. */
const expectMade = async (order: Effective, answer: Received): Promise<void> => {
  const { client, keys, clock, names } = fuzzed;
  const created = JSON.parse(answer.text) as Record<string, unknown>;
  const name = `${dateOf(clock.now())}_${order.name}`;
  const { site_id: siteId, max_uses, expire_minutes, qos } = order;
  const limits = { max_uses, expire_minutes };
  expect(created).toMatchObject({ success: true, site: names.get(siteId), ...limits });
  const list = await client.send({
    method: 'GET',
    path: `/vouchers.php?site_id=${siteId}`,
    headers: [['X-API-Key', keys.read]],
  });
  const { vouchers } = JSON.parse(list.text) as { vouchers: Record<string, unknown>[] };
  expect(vouchers[0]).toMatchObject({ voucher_code: created['code'], voucher_name: name, ...limits });
  const made: unknown = await fuzzed.controllerOf(siteId)('vouchers').orderBy('rowid', 'desc').first();
  expect(made).toMatchObject({ code: created['code'], name, ...limits, ...qos });
};

/** The first answer to each idempotency key that has led to a voucher. */
const answered = new Map<string, { order: Effective; body: string; text: string }>();

test('every answer of createVoucher is documented and is the one that the specification asks for', async () => {
  const { client, clock, keys, sites, expectDocumented } = fuzzed;
  const request = fc.record({
    access: credentials(keys),
    idempotency,
    body: bodies([...sites.active, sites.active[0], sites.inactive]),
    headers: oddHeaders,
    pass: fc.nat({ max: 5000 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ access, idempotency: key, body, headers, pass }) => {
      clock.advance(pass);
      const answer = await client.send({
        method: 'POST',
        path: '/vouchers.php',
        headers: [...access.headers, ...key.headers, ...headers],
        body,
      });
      expectDocumented('createVoucher', answer);
      if (access.standing === 'limited' && answer.status === 429) return;

      const reading = readBody(body);
      const due = expected(access.standing, reading, key);
      // Each API key has idempotency keys of its own; only one of the two that create vouchers has a limit.
      const counter = String(answer.headers['ratelimit-limit']);
      const keyId = `${counter} ${String(key.headers[0]?.[1])}`;
      const text = String(body);
      const first = key.kind === 'valid' && reading.status === 201 ? answered.get(keyId) : undefined;
      if (due.status < 400 && first && reading.status === 201) {
        const same = JSON.stringify(first.order) === JSON.stringify(reading.order);
        // A body that is written in another way and means the same may be taken for either.
        if (same && (first.body === text || answer.status === 201)) {
          expect(answer).toMatchObject({ status: 201, text: first.text });
          expect(answer.headers['idempotency-replayed']).toBe('true');
        } else expect(answer.status).toBe(422);
        return;
      }
      if (first && answer.status === 422) return;
      expect({ status: answer.status, message: messageOf(answer) }).toMatchObject(due);
      expect(answer.headers).not.toHaveProperty('idempotency-replayed');
      if (due.status !== 201 || reading.status !== 201) return;
      await expectMade(reading.order, answer);
      if (key.kind === 'valid') answered.set(keyId, { order: reading.order, body: text, text: answer.text });
    }),
    runs(),
  );
});

test('every voucher has one notification, one place on its controller, and no intent is left', async () => {
  const { service, sites } = fuzzed;
  const { read } = service.database;
  const recorded = await read('vouchers').pluck<string[]>('controller_voucher_id');
  const made = await Promise.all(sites.active.map((id) => controllerVouchers(service, id)));
  expect(recorded.length).toBeGreaterThan(requests / 20);
  expect(new Set(recorded)).toEqual(new Set(made.flat().map(({ id }) => id)));
  expect(made.flat()).toHaveLength(recorded.length);
  expect(await read('notifications')).toHaveLength(recorded.length);
  expect(await read('intents')).toEqual([]);
});
