import { expect, test } from '@jest/globals';
import { ControllerError, OutcomeUnknown } from '../../src/controllers/errors.js';
import type { Failure } from '../../src/controllers/failure.js';
import { describeOrderReason, toOrderReason, type OrderReason } from '../../src/vouchers/orderReasons.js';
import { testCases } from '../support/cases.js';

/** A reason after it was in the database. */
const stored = (reason: unknown): OrderReason => JSON.parse(JSON.stringify(reason)) as OrderReason;

test('a stored reason is worded in every language', () => {
  expect(describeOrderReason(stored({ code: 'only-some', values: { made: 2, count: 5 } }))).toMatchObject({
    de: 'Der Controller hat nur 2 von 5 Vouchern erstellt.',
    en: 'The controller has created only 2 of 5 vouchers.',
  });
});

test('a failure of the controller is stored as its kind and values', () => {
  const error = new OutcomeUnknown('Hotel', { kind: 'unreachable', reason: 'refused' });
  const reason = stored(toOrderReason(error));
  expect(reason).toEqual({
    code: 'controller-failed',
    values: { kind: 'unreachable', reason: 'refused' },
  });
  expect(describeOrderReason(reason)).toMatchObject({
    de: 'Der Controller ist nicht erreichbar: die Verbindung wurde abgelehnt.',
    en: 'The controller can not be reached: the connection was refused.',
  });
});

testCases<Failure>([
  {
    kind: 'certificate',
    reason: 'host-name',
    host: 'hidden.example',
    names: 'hidden',
    fingerprint: 'hidden',
  },
  { kind: 'other-certificate', fingerprint: 'hidden' },
  { kind: 'site', reason: 'not-listed', site: 'hidden', known: ['hidden'] },
  { kind: 'site', reason: 'several', known: ['hidden'] },
  { kind: 'refused', reason: 'request', said: 'password=hidden' },
  { kind: 'not-read', cause: { kind: 'other-certificate', fingerprint: 'hidden' } },
])('what only the operator may know is not stored', (failure) => {
  const reason = toOrderReason(new ControllerError('Hotel', failure));
  expect(JSON.stringify(reason)).not.toContain('hidden');
  expect(describeOrderReason(stored(reason)).de).toMatch(/\.$/);
});

test('the cause of a failure is stored and worded, too', () => {
  const cause: Failure = { kind: 'throttled', seconds: 3 };
  const reason = stored(toOrderReason(new OutcomeUnknown('Hotel', { kind: 'not-read', cause })));
  expect(reason).toMatchObject({
    values: { kind: 'not-read', cause: { kind: 'throttled', seconds: 3 } },
  });
  expect(describeOrderReason(reason).en).toContain('3 s');
});

testCases([
  { code: 'unheard-of', values: {} },
  { code: 'controller-failed', values: { kind: 'unheard-of' } },
  { code: 'controller-failed', values: { kind: 'unreadable', reason: 'unheard-of' } },
  { code: 'controller-failed', values: { kind: 'not-read', cause: { kind: 'unheard-of' } } },
  { code: 'controller-failed', values: null },
  { code: 'only-some', values: {} },
])('the reason of a later version is told as unexpected', (reason) => {
  expect(describeOrderReason(stored(reason)).en).toBe('An unexpected error occurred.');
});
