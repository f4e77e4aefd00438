import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { makeCertificate, type Certificate } from '../../../simulators/certificate.js';
import type { ControllerError } from '../../../src/controllers/errors.js';
import { describeInGerman } from '../../../src/controllers/failureMessages.js';
import type { Connection } from '../../../src/controllers/https/connection.js';
import type { ConnectionSettings } from '../../../src/controllers/https/settings.js';
import { connect, errorOf, startTarget, well, type Target } from './target.js';
import { testCases } from '../../support/cases.js';

const get = { method: 'GET', path: '/' } as const;
const other = Array(32).fill('AB').join(':');

let target: Target;
const opened: Connection[] = [];
const open = (settings: Partial<ConnectionSettings>): Connection => {
  const connection = connect(target, settings);
  opened.push(connection);
  return connection;
};
beforeEach(async () => {
  target = await startTarget();
});
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
  await target.stop();
});

test('the pinned certificate is trusted, whoever signed it', async () => {
  const { status } = await open({ fingerprint: target.fingerprint }).call(get);
  expect(status).toBe(200);
});

/** Everything is right about it but the name. */
const startElsewhere = async (): Promise<Target> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'elsewhere.test' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'elsewhere.test' }] }],
  });
  const { fingerprint256: fingerprint } = new X509Certificate(cert);
  return startTarget(well, { certificate: { cert, key, fingerprint } });
};

test('a name that the certificate is not for is refused', async () => {
  const elsewhere = await startElsewhere();
  const connection = connect(elsewhere, { fingerprint: undefined, ca: elsewhere.cert });
  const error = await errorOf(connection.call(get));
  await connection.close();
  await elsewhere.stop();
  expect(error).toMatchObject({
    code: 'certificate',
    failure: {
      reason: 'host-name',
      host: '127.0.0.1',
      names: 'DNS:elsewhere.test',
      fingerprint: elsewhere.fingerprint,
    },
  });
  expect(elsewhere.requests).toEqual([]);
});

test('the pinned certificate is trusted, whatever name it is for', async () => {
  const elsewhere = await startElsewhere();
  const connection = connect(elsewhere);
  const { status } = await connection.call(get);
  await connection.close();
  await elsewhere.stop();
  expect(status).toBe(200);
});

test('another certificate than the pinned one is refused before anything is sent', async () => {
  const error = await errorOf(open({ fingerprint: other }).call(get));
  expect(error).toMatchObject({
    name: 'ControllerError',
    code: 'other-certificate',
    failure: { fingerprint: target.fingerprint },
  });
  expect(target.requests).toEqual([]);
});

test('a certificate that changes behind a pin is refused', async () => {
  const connection = open({});
  await connection.call(get);
  const renewed = await target.renew();
  expect(await errorOf(connection.call(get))).toMatchObject({
    code: 'other-certificate',
    failure: { fingerprint: renewed },
  });
  expect(target.requests).toHaveLength(1);
});

test('a certificate that nobody trusts is refused, with its fingerprint for the operator, and without it for clients', async () => {
  const error = await errorOf(open({ fingerprint: undefined }).call(get));
  expect(error).toMatchObject({
    code: 'certificate',
    failure: { reason: 'self-signed', fingerprint: target.fingerprint },
  });
  expect((error as ControllerError).message).toContain(target.fingerprint);
  expect(describeInGerman(error as ControllerError)).toBe(
    'Dem Zertifikat des Controllers „Zentrale“ wird nicht vertraut: es ist selbst signiert',
  );
  expect(target.requests).toEqual([]);
});

const day = 86_400_000;
/** The same day for a certificate and for what is said of it, also when a day ends meanwhile. */
const loadedAt = Date.now();
const inDays = (days: number): Date => new Date(loadedAt + days * day);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
/** Signed by an authority that nobody knows. */
const signed = async (): Promise<Certificate> => {
  const ca = await makeCertificate('Unknown CA');
  return makeCertificate('unifi.local', { ca });
};

testCases<[string, () => Promise<Certificate>, object]>([
  [
    'has expired',
    () => makeCertificate('unifi.local', { notBeforeDate: inDays(-30), notAfterDate: inDays(-2) }),
    { reason: 'expired', validTo: dayOf(inDays(-2)) },
  ],
  [
    'is not valid yet',
    () => makeCertificate('unifi.local', { notBeforeDate: inDays(2), notAfterDate: inDays(30) }),
    { reason: 'not-yet-valid', validFrom: dayOf(inDays(2)) },
  ],
  ['is self-signed', () => makeCertificate('unifi.local'), { reason: 'self-signed' }],
  ['is signed by an unknown CA', signed, { reason: 'unknown-ca' }],
])('what is wrong with a certificate has its own name', async (_, make, failure) => {
  const certificate = await make();
  const odd = await startTarget(well, { certificate });
  const connection = connect(odd, { fingerprint: undefined });
  const error = await errorOf(connection.call(get));
  await connection.close();
  await odd.stop();
  expect(error).toMatchObject({
    code: 'certificate',
    failure: { ...failure, fingerprint: certificate.fingerprint },
  });
  expect(odd.requests).toEqual([]);
});

test('the pinned certificate is trusted, also when it has expired', async () => {
  const certificate = await makeCertificate('unifi.local', {
    notAfterDate: inDays(-1),
    notBeforeDate: inDays(-9),
  });
  const expired = await startTarget(well, { certificate });
  const connection = connect(expired, { fingerprint: certificate.fingerprint });
  expect((await connection.call(get)).status).toBe(200);
  await connection.close();
  await expired.stop();
});

test('a certificate of a given authority is trusted, for its own name', async () => {
  const { status } = await open({ fingerprint: undefined, ca: target.cert }).call(get);
  expect(status).toBe(200);
});

test('a certificate of another authority than the given one is refused', async () => {
  const stranger = await startTarget();
  const error = await errorOf(open({ fingerprint: undefined, ca: stranger.cert }).call(get));
  await stranger.stop();
  expect(error).toMatchObject({ code: 'certificate', failure: { fingerprint: target.fingerprint } });
  expect(target.requests).toEqual([]);
});

test('a refused certificate is not asked for again in the same call', async () => {
  await errorOf(open({ fingerprint: other }).call(get));
  expect(target.connections).toBe(1);
});
