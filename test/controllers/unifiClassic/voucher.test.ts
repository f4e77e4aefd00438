import { describe, expect, test } from '@jest/globals';
import { parseClassicVoucher } from '../../../src/controllers/unifiClassic/voucher.js';
import { testCases } from '../../support/cases.js';

const now = Date.parse('2026-11-14T09:30:00.000Z');
const seconds = now / 1000;

const row = {
  _id: '61facea3873fdb075ce28d71',
  site_id: '5a32aa4ee4b0412345678910',
  code: '0470344703',
  create_time: 1_643_826_851,
  duration: 480,
  quota: 3,
  used: 1,
  note: '2026-11-14_Gast',
  admin_name: 'Admin',
  for_hotspot: false,
  qos_overwrite: true,
  qos_rate_max_up: 2000,
  qos_rate_max_down: 5000,
  qos_usage_quota: 1000,
  status: 'USED_MULTIPLE',
  status_expires: 60,
  start_time: seconds - 100,
  end_time: seconds + 60,
};

describe('a voucher of UniFi Network', () => {
  test('is told in our words', () => {
    expect(parseClassicVoucher(row, now)).toEqual({
      id: '61facea3873fdb075ce28d71',
      code: '0470344703',
      name: '2026-11-14_Gast',
      maxUses: 3,
      expireMinutes: 480,
      down: 5000,
      up: 2000,
      quotaMb: 1000,
      usedCount: 1,
      createdAt: 1_643_826_851_000,
      expiresAt: now + 60_000,
      expired: false,
    });
  });

  testCases([
    [1e300, '9999-12-31T23:59:59.999Z', false],
    [8.64e12 + 1, '9999-12-31T23:59:59.999Z', false],
    [1_700_000_000.1234567, '2023-11-14T22:13:20.123Z', true],
    [-1e300, '1970-01-01T00:00:00.000Z', true],
  ])('has times that can be stored and said, whatever the controller says', (time, said, expired) => {
    const voucher = parseClassicVoucher(
      { ...row, create_time: time, end_time: time, status_expires: undefined },
      now,
    );
    for (const ms of [voucher.createdAt, voucher.expiresAt]) expect(new Date(ms!).toISOString()).toBe(said);
    expect(voucher.expiresAt).toBe(Math.trunc(voucher.expiresAt!));
    expect(voucher.expired).toBe(expired);
  });

  test('of which little is known has no limits, and has not expired', () => {
    for (const little of [{}, null, 'x', [], { note: null, code: null, _id: 7, end_time: null }])
      expect(parseClassicVoucher(little, now)).toEqual({
        id: null,
        code: undefined,
        name: '',
        maxUses: 0,
        expireMinutes: 0,
        down: 0,
        up: 0,
        quotaMb: 0,
        usedCount: 0,
        createdAt: 0,
        expiresAt: null,
        expired: false,
      });
  });

  testCases([
    ['0000000001', '0000000001'],
    ['44703-44703', '4470344703'],
    [470_344_703, '0470344703'],
    ['', undefined],
  ])('has a code if the controller shows one', (code, expected) => {
    expect(parseClassicVoucher({ ...row, code }, now).code).toBe(expected);
  });

  test('may have its numbers as text', () => {
    const texts = {
      quota: '3',
      used: '1',
      qos_usage_quota: '1000',
      create_time: '1643826851',
      duration: '480',
    };
    expect(parseClassicVoucher({ ...row, ...texts }, now)).toEqual(parseClassicVoucher(row, now));
  });

  test('with a quota of 0 may be used without limit', () => {
    expect(parseClassicVoucher({ ...row, quota: 0 }, now).maxUses).toBe(0);
  });

  testCases([
    ['by its status', { status: 'EXPIRED' }, true],
    ['by its status, whatever else it is', { status: 'USED_EXPIRED', status_expires: 60 }, true],
    ['when the controller says that nothing is left', { status_expires: 0 }, true],
    ['not while the controller says that something is left', { end_time: seconds - 60 }, false],
    [
      'by our clock when the controller says nothing',
      { status_expires: undefined, end_time: seconds - 1 },
      true,
    ],
    ['not before, by our clock', { status_expires: undefined, end_time: seconds + 1 }, false],
    [
      'not when it was never used',
      { used: 0, end_time: undefined, status_expires: 0, status: 'VALID_ONE' },
      false,
    ],
  ])('has expired as its state or its end says', (_, values, expired) => {
    expect(parseClassicVoucher({ ...row, ...values }, now).expired).toBe(expired);
  });
});
