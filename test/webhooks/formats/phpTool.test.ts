import { expect, test } from '@jest/globals';
import { phpTool } from '../../../src/webhooks/formats/phpTool.js';
import { formatConformance, now, someEvent, type EventValues } from '../../conformance/format.js';

interface Body {
  text: string;
  event: { type: string; count?: number; site?: string; user?: string };
}

const titles = { one: 'voucher_created × 1', three: 'voucher_created × 3', test: 'test' };

formatConformance({
  format: phpTool,
  exact: true,
  titles: { de: titles, en: titles, es: titles, fr: titles, it: titles, nl: titles },
  read: (body) => {
    const { type, count, site = '', user = '' } = (JSON.parse(body) as Body).event;
    return {
      title: count === undefined ? type : `${type} × ${count}`,
      site,
      source: user,
      markup: [],
    };
  },
  checkSize: (body) => expect(Buffer.byteLength(body)).toBeLessThan(20_000),
  failures: [410],
});

const compose = (values: EventValues = {}) =>
  phpTool.compose(someEvent(values), { language: 'en', secrets: [], now });

test('a message as the PHP tool sends it, byte by byte', () => {
  expect(compose({ site: 'Haus 1/2 "Süd"', source: 'API: write' })).toEqual({
    headers: { 'content-type': 'application/json' },
    body: String.raw`{"text":"\ud83c\udfab Ein Voucher f\u00fcr \"Haus 1\/2 \"S\u00fcd\"\" von API: write erstellt.","event":{"type":"voucher_created","count":1,"site":"Haus 1\/2 \"S\u00fcd\"","user":"API: write"}}`,
  });
});

test('many vouchers are one message with their count', () => {
  expect(JSON.parse(compose({ count: 20, site: 'Hauptgebäude', source: 'Anna' }).body)).toEqual({
    text: '🎫 20 Voucher für "Hauptgebäude" von Anna erstellt.',
    event: { type: 'voucher_created', count: 20, site: 'Hauptgebäude', user: 'Anna' },
  });
});

test('a test has its own event', () => {
  expect(JSON.parse(compose({ test: true }).body)).toEqual({
    text: '✅ Test-Benachrichtigung vom UniFi Voucher System.',
    event: { type: 'test' },
  });
});

test('the sentence is one line, whatever the names hold', () => {
  const { text, event } = JSON.parse(compose({ site: 'A\nB', source: 'x'.repeat(65_536) }).body) as Body;
  expect(text).toMatch(/^🎫 Ein Voucher für "A B" von x{299}… erstellt\.$/);
  expect(event.site).toBe('A\nB');
});
