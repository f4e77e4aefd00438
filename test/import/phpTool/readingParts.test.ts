import { describe, expect, test } from '@jest/globals';
import { makeOpenStored, parseAppKey } from '../../../src/import/phpTool/appKey.js';
import { parsePhpConfig } from '../../../src/import/phpTool/phpConfig.js';
import { isTimeZone, makeSourceTimes } from '../../../src/import/phpTool/times.js';
import { testCases } from '../../support/cases.js';
import {
  phpToolAesGcm,
  phpToolAppKey,
  phpToolPassword,
  phpToolSecretbox,
} from '../../support/phpToolDatabase.js';

describe('what the tool has encrypted', () => {
  const random = 'enc:v1:U3qHgypEbJIvmiarBcb4rk/pN8t0sHHTmSsFhjh5XX3cAO4jDosYB2ifMuQ4CQ==';

  test('opens with its key, by either cipher', async () => {
    const open = await makeOpenStored(parseAppKey(phpToolAppKey));
    expect([phpToolSecretbox, phpToolAesGcm, random, 'klar', ''].map(open)).toEqual([
      ...[phpToolPassword, phpToolPassword, 'geheim', 'klar', ''],
    ]);
  });

  testCases([
    ['another key', Buffer.alloc(32, 1).toString('base64'), phpToolSecretbox],
    ['a changed byte', phpToolAppKey, phpToolSecretbox.replace('A5urG', 'A5urH')],
    ['a value that was cut off', phpToolAppKey, phpToolSecretbox.slice(0, 40)],
    ['nothing behind the prefix', phpToolAppKey, 'enc:v1:'],
    ['64 KiB', phpToolAppKey, `enc:v1:${'A'.repeat(65_536)}`],
  ])('opens with its key only', async (_, key, stored) => {
    expect((await makeOpenStored(parseAppKey(key)))(stored)).toBeUndefined();
  });

  testCases(['', 'x', Buffer.alloc(31).toString('base64'), `${phpToolAppKey}x`, '-'.repeat(44)])(
    'a key of another form is refused without repeating it',
    (text) => {
      expect(() => parseAppKey(text)).toThrow(
        'APP_KEY is not valid: it is 44 characters of base64, as in config.php',
      );
    },
  );
});

describe('the tool’s times', () => {
  const zones = { server: 'UTC', php: 'Europe/Berlin' };
  const read = (
    text: string,
    how: 'fromMysql' | 'fromPhp',
    shownIn: 'UTC' | 'server zone' = 'UTC',
    server = 'UTC',
  ) => {
    const ms = makeSourceTimes({ shownIn }, { ...zones, server })[how]({ at: text }, 'at');
    return ms === null ? null : new Date(ms).toISOString();
  };

  testCases([
    ['2026-01-15 22:31:18', '2026-01-15T21:31:18.000Z'],
    ['2026-07-01 12:00:00', '2026-07-01T10:00:00.000Z'],
    // The first of two such hours, and one that no clock shows.
    ['2026-10-25 02:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29 02:30:00', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29 03:00:00', '2026-03-29T01:00:00.000Z'],
  ])('what PHP wrote in Berlin is an instant', (text, instant) => {
    expect(read(text, 'fromPhp')).toBe(instant);
    expect(read(text, 'fromPhp', 'server zone', '+05:30')).toBe(instant);
  });

  test('MySQL wrote the right instant, whichever zone shows it', () => {
    expect(read('2026-01-15 19:51:18', 'fromMysql')).toBe('2026-01-15T19:51:18.000Z');
    expect(read('2026-01-15 20:51:18', 'fromMysql', 'server zone', 'Europe/Berlin')).toBe(
      '2026-01-15T19:51:18.000Z',
    );
    const times = makeSourceTimes({ shownIn: 'server zone' }, zones);
    expect(times.fromMysql({ at: 'x', 'at#seconds': '1768506678' }, 'at')).toBe(
      Date.parse('2026-01-15T19:51:18Z'),
    );
  });

  testCases(['0000-00-00 00:00:00', '', 'soon', '2026-01-15'])('anything else is none', (text) => {
    expect(read(text, 'fromMysql')).toBeNull();
    expect(read(text, 'fromPhp')).toBeNull();
  });

  test('zones are names or offsets', () => {
    expect(['Europe/Berlin', 'UTC', '+02:00'].map(isTimeZone)).toEqual([true, true, true]);
    expect(['Mars/Base', '', '+2', 'x'.repeat(65_536)].map(isTimeZone)).toEqual([false, false, false, false]);
  });
});

describe('config.php', () => {
  const text = String.raw`<?php
define('DB_HOST', 'db:3307');
define( 'DB_NAME' , 'vouchers' );
define('DB_USER', getenv('DB_USER') ?: 'tool');
define('DB_PASS', 'it\'s \\ secret');
define('APP_KEY', getenv('APP_KEY') ?: '${phpToolAppKey}');
define('SESSION_LIFETIME', 3600);
date_default_timezone_set('Europe/Vienna');`;

  test('is read without running it', () => {
    expect(parsePhpConfig(text, {})).toEqual({
      host: 'db:3307',
      database: 'vouchers',
      user: 'tool',
      password: "it's \\ secret",
      appKey: phpToolAppKey,
      timeZone: 'Europe/Vienna',
    });
  });

  test('gives way to the environment where the Docker image says so', () => {
    expect(parsePhpConfig(text, { DB_USER: 'other', DB_HOST: 'ignored' })).toMatchObject({
      user: 'other',
      host: 'db:3307',
    });
  });

  test('may hold an empty password', () => {
    expect(parsePhpConfig("define('DB_PASS', '');", {})).toEqual({ password: '' });
  });

  test('may hold anything else', () => {
    expect(parsePhpConfig(`define('${'x'.repeat(65_536)}`, {})).toEqual({});
    expect(parsePhpConfig('', {})).toEqual({});
  });
});
