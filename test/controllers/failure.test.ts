import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeInEnglish } from '../../src/controllers/failureMessages.js';
import { ControllerError, OutcomeUnknown } from '../../src/controllers/errors.js';
import type { Failure, FailureKind } from '../../src/controllers/failure.js';
import { describeInGerman } from '../../src/controllers/failureMessages.js';

/** One of each kind, at least. */
const failures: { readonly [K in FailureKind]: readonly Failure<K>[] } = {
  unreachable: [
    { kind: 'unreachable', reason: 'refused' },
    { kind: 'unreachable', reason: 'closed' },
  ],
  timeout: [{ kind: 'timeout' }, { kind: 'timeout', seconds: 10 }],
  disconnected: [{ kind: 'disconnected' }],
  certificate: [
    { kind: 'certificate', reason: 'self-signed', fingerprint: 'AB:CD' },
    { kind: 'certificate', reason: 'unknown-ca', fingerprint: undefined },
    { kind: 'certificate', reason: 'expired', validTo: '2024-02-01', fingerprint: 'AB:CD' },
    { kind: 'certificate', reason: 'not-yet-valid', validFrom: '2034-02-01', fingerprint: 'AB:CD' },
    { kind: 'certificate', reason: 'host-name', host: 'a.test', names: 'DNS:b.test', fingerprint: 'AB' },
    { kind: 'certificate', reason: 'other', code: 'CERT_REVOKED', fingerprint: 'AB:CD' },
  ],
  'other-certificate': [{ kind: 'other-certificate', fingerprint: 'AB:CD' }],
  credentials: [
    { kind: 'credentials', of: 'api-key', said: 'Unauthorized', status: 401 },
    { kind: 'credentials', of: 'account', seconds: 60 },
  ],
  'two-factor': [{ kind: 'two-factor' }],
  'locked-out': [{ kind: 'locked-out', seconds: 60 }],
  permission: [
    { kind: 'permission', of: 'api-key', status: 403 },
    { kind: 'permission', of: 'account', said: 'api.err.NoPermission' },
  ],
  site: [
    { kind: 'site', reason: 'unknown', status: 404 },
    { kind: 'site', reason: 'not-listed', site: 'west', known: ['x7k2', 'p9q1'] },
    { kind: 'site', reason: 'several', known: ['x7k2', 'p9q1'] },
  ],
  bounds: [
    { kind: 'bounds', reason: 'value', field: 'qos.down', value: 1, from: 2, to: 100_000 },
    { kind: 'bounds', reason: 'count', from: 1, to: 1000 },
    { kind: 'bounds', reason: 'unnamed', said: 'api.err.InvalidArgs' },
  ],
  throttled: [{ kind: 'throttled', seconds: 11 }],
  'circuit-open': [{ kind: 'circuit-open', seconds: 2 }],
  deadline: [{ kind: 'deadline' }],
  refused: [
    ...(['request', 'order', 'login', 'session', 'csrf'] as const).map(
      (reason) => ({ kind: 'refused', reason }) as const,
    ),
    { kind: 'refused', reason: 'too-old', version: '9.0.99', needed: '9.1.120' },
    { kind: 'refused', reason: 'no-vouchers', needed: '9.1.120' },
  ],
  unreadable: [
    { kind: 'unreadable', reason: 'answer', status: 200 },
    { kind: 'unreadable', reason: 'no-integration-api', needed: '9.1.120' },
    { kind: 'unreadable', reason: 'redirect', status: 302 },
  ],
  'not-read': [
    { kind: 'not-read', cause: 'not-listed' },
    { kind: 'not-read', cause: undefined },
    { kind: 'not-read', cause: { kind: 'throttled', seconds: 3 } },
  ],
};

const german = /[äöüß„“]|\b(Der|Die|Das|Dem|Für|Unter|und|nicht|ist|hat)\b/;
const english = /\b(it|its|the|is|has|not|of|and)\b/;

describe.each(Object.values(failures).flat() as Failure[])('%j', (failure) => {
  const errors = [
    new ControllerError('Zentrale', failure),
    new ControllerError(undefined, failure),
    new OutcomeUnknown('Zentrale', failure),
  ];

  test('is German for a client of the API', () => {
    for (const error of errors) {
      expect(describeInGerman(error)).toMatch(german);
      expect(describeInGerman(error)).not.toMatch(english);
      expect(describeInGerman(error)).not.toMatch(/undefined|\[object/);
      expect(describeInGerman(error).includes('Zentrale')).toBe(error.controller !== undefined);
    }
  });

  test('names to a client no address, fingerprint, site of the controller or command', () => {
    for (const error of errors)
      expect(describeInGerman(error)).not.toMatch(/a\.test|b\.test|AB|x7k2|p9q1|west|voucherd/);
  });

  test('is English for log and command line', () => {
    for (const error of errors) {
      expect(error.message).toBe(`${error.controller ?? 'controller'}: ${describeInEnglish(failure)}`);
      expect(error.message).toMatch(english);
      expect(error.message).not.toMatch(german);
      expect(error.message).not.toMatch(/undefined|\[object/);
      expect(error.code).toBe(failure.kind);
    }
  });
});

test('what a voucher could not be read for is said within the same sentence, in the same language', () => {
  const failure: Failure = { kind: 'not-read', cause: { kind: 'throttled', seconds: 3 } };
  const error = new OutcomeUnknown('Halle 3', failure);
  expect(describeInGerman(error)).toBe(
    'Der Voucher ist am Controller „Halle 3“ erstellt, aber nicht gelesen: Der Controller „Halle 3“ wird zu oft gefragt; bitte 3 s warten',
  );
  expect(error.message).toBe(
    'Halle 3: it created a voucher, which could not be read: it was asked too often, and wants 3 s of silence',
  );
});

test('German stands in the tables of texts, and nowhere beside controllers or in the command line', async () => {
  const speaking: string[] = [];
  for (const folder of ['src/controllers', 'src/cli'])
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const source = await readFile(join(folder, file), 'utf8');
      if (/['"`][^'"`\n]*\b(Der|Die|Das|Dem|Für|nicht|wird)\b [^'"`\n]*['"`]/.test(source))
        speaking.push(file);
    }
  expect(speaking.sort()).toEqual([]);
});
