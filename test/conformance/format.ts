import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pageLanguages, type PageLanguage } from '../../src/i18n/language.js';
import {
  type WebhookEvent,
  type WebhookFormat,
  type WebhookResponse,
} from '../../src/webhooks/formats/format.js';
import type { VouchersCreated } from '../../src/webhooks/notificationTable.js';
import { hostileValues, maxLength, mixtures, seenAs } from '../webhooks/formats/hostileValues.js';
import { describeReason } from '../../src/i18n/storedReasons.js';
import { answered } from '../support/deliveryReasons.js';

/** What somebody who reads the message sees, and what the platform took for markup: mentions, links, formatting. */
export interface RenderedMessage {
  readonly title: string;
  readonly site: string;
  readonly source: string;
  readonly markup: readonly string[];
}

export interface FormatUnderTest {
  readonly format: WebhookFormat;
  /** How the platform, not we, reads a body. */
  read(body: string, language: PageLanguage): RenderedMessage;
  /** The limits of the platform. */
  checkSize(body: string): void;
  readonly failures: readonly number[];
  /** Are values for programs, so that nothing is made of them? */
  readonly exact?: boolean;
  readonly titles?: Titles;
}

type Titles = Readonly<Record<PageLanguage, { one: string; three: string; test: string }>>;

const chatTitles: Titles = {
  de: { one: '1 Voucher erstellt', three: '3 Voucher erstellt', test: 'Test: 1 Voucher erstellt' },
  en: { one: '1 voucher created', three: '3 vouchers created', test: 'Test: 1 voucher created' },
  es: { one: '1 vale creado', three: '3 vales creados', test: 'Prueba: 1 vale creado' },
  fr: { one: '1 coupon créé', three: '3 coupons créés', test: 'Test\u00A0: 1 coupon créé' },
  it: { one: '1 voucher creato', three: '3 voucher creati', test: 'Test: 1 voucher creato' },
  nl: { one: '1 voucher aangemaakt', three: '3 vouchers aangemaakt', test: 'Test: 1 voucher aangemaakt' },
};

export const now = Date.parse('2026-11-14T09:30:05.900Z');

export const someSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What a message about vouchers tells. */
export type EventValues = Partial<VouchersCreated & { readonly test: boolean }>;

export const someEvent = (values: EventValues = {}): WebhookEvent => ({
  type: 'voucher.created',
  id: '00112233445566778899aabbccddeeff',
  count: 1,
  site: 'Hauptgebäude',
  source: 'API: Buchungssystem',
  createdAt: Date.parse('2026-11-14T09:30:00.000Z'),
  test: false,
  ...values,
});

export const someAnswer = (values: Partial<WebhookResponse> = {}): WebhookResponse => ({
  status: 200,
  headers: {},
  body: '',
  ...values,
});

/** What every format must do. Each one runs this suite. */
export const formatConformance = (underTest: FormatUnderTest): void => {
  describe('a message', () => messages(underTest));
  describe('an answer', () => answers(underTest));
};

const messages = ({ format, read, checkSize, exact = false, titles = chatTitles }: FormatUnderTest): void => {
  const compose = (values: EventValues = {}, language: PageLanguage = 'en') =>
    format.compose(someEvent(values), { language, secrets: [someSecret], now });
  const readingOf = (values: EventValues = {}, language: PageLanguage = 'en'): RenderedMessage =>
    read(compose(values, language).body, language);
  const seen = exact ? (value: string) => value : seenAs;

  test.each(pageLanguages)('shows count, site and source in %s', (language) => {
    const values = { site: 'Hauptgebäude', source: 'API: Buchungssystem' };
    expect(readingOf({}, language)).toMatchObject({ ...values, title: titles[language].one });
    expect(readingOf({ count: 3 }, language)).toMatchObject({ ...values, title: titles[language].three });
  });

  test.each(pageLanguages)('is marked when it is only a test, in %s', (language) => {
    expect(readingOf({ test: true }, language).title).toBe(titles[language].test);
  });

  test('is JSON, and says so', () => {
    expect(compose().headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(JSON.parse(compose().body)).toEqual(expect.any(Object));
  });

  test('holds no code', () => {
    for (const count of [1, 99_999]) expect(compose({ count }).body).not.toMatch(/\d{5}[- ]?\d{5}/);
  });

  test.each(hostileValues)('shows %j as text', (value) => {
    const site = readingOf({ site: value });
    expect(site.site).toBe(seen(value));
    expect(site.source).toBe('API: Buchungssystem');
    const source = readingOf({ source: `API: ${value}` });
    expect(source.source).toBe(seen(`API: ${value}`));
    expect(source.site).toBe('Hauptgebäude');
    for (const { markup } of [site, source]) expect(markup).toEqual(readingOf().markup);
  });

  test('shows any mixture of markup as text', () => {
    const { title, markup } = readingOf();
    fc.assert(
      fc.property(mixtures, mixtures, (site, source) => {
        const expected = { title, site: seen(site).trim(), source: seen(source).trim(), markup };
        const reading = readingOf({ site, source });
        expect({ ...reading, site: reading.site.trim(), source: reading.source.trim() }).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['🎉', '`', '<', '&', '*', '"', 'א', '{{DATE('])(
    'keeps the limits with names full of %s',
    (piece) => {
      const site = Array.from(piece.repeat(maxLength)).slice(0, maxLength).join('');
      const { body } = compose({ site, source: `API: ${site}` });
      checkSize(body);
      expect(read(body, 'en')).toMatchObject({ site: seen(site), source: seen(`API: ${site}`) });
    },
  );

  test('keeps the limits with values that are longer than any name', () => {
    if (exact) return;
    const long = '🎉'.repeat(10_000);
    checkSize(compose({ site: long, source: long }).body);
    expect(readingOf({ site: long }).site).toBe(`${'🎉'.repeat(299)}…`);
  });
};

const answers = ({ format, failures }: FormatUnderTest): void => {
  const others = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
    (status) => !failures.includes(status),
  );
  const judge = (values: Partial<WebhookResponse>) => format.judge(someAnswer(values));

  test('any 2xx is delivered: nothing is sent twice after it', () => {
    for (let status = 200; status < 300; status += 1)
      expect(judge({ status })).toEqual({ outcome: 'delivered' });
  });

  test.each(failures)('%i: failed for good', (status) => {
    expect(judge({ status })).toMatchObject({ outcome: 'failed', reason: answered(status) });
  });

  test('429: throttled, which concerns the whole target', () => {
    expect(judge({ status: 429 })).toEqual({
      outcome: 'retry',
      reason: { code: 'throttled', values: {} },
      wholeTarget: true,
    });
  });

  test('any other status is worth another try, and concerns the whole target unless it judges the message', () => {
    for (const status of others) {
      const wholeTarget = ![400, 413, 414, 415, 422].includes(status);
      expect(judge({ status })).toMatchObject({ outcome: 'retry', wholeTarget });
      const verdict = judge({ status });
      const reason = verdict.outcome === 'delivered' ? null : verdict.reason;
      expect(describeReason('attempt', reason).en).toContain(String(status));
    }
  });

  test.each([429, 503])('%i: Retry-After is honoured', (status) => {
    const date = 'Sat, 14 Nov 2026 09:30:00 GMT';
    const later = 'Sat, 14 Nov 2026 09:32:00 GMT';
    const after = (headers: WebhookResponse['headers']) => {
      const verdict = judge({ status, headers });
      return verdict.outcome === 'retry' ? verdict.afterSeconds : verdict;
    };
    expect(after({ 'retry-after': '30' })).toBe(30);
    expect(after({ 'retry-after': later, date })).toBe(120);
    expect(after({ 'retry-after': date, date: later })).toBe(0);
    for (const useless of ['', 'soon', '-1', later, '9'.repeat(400)]) {
      expect(after({ 'retry-after': useless })).toBeUndefined();
    }
    for (const useless of ['soon', '14 Nov 2026 09:32']) {
      expect(after({ 'retry-after': useless, date })).toBeUndefined();
    }
  });

  test("the reason may hold a platform's own word, and nothing else of the answer", () => {
    const reason = (values: Partial<WebhookResponse>) => JSON.stringify(judge({ status: 404, ...values }));
    expect(reason({ body: 'channel_not_found\n' })).toContain('channel_not_found');
    for (const body of ['<p>secret</p>', '{"token":"secret"}', 'secret text', `secret${'a'.repeat(60)}`]) {
      expect(reason({ body })).not.toContain('secret');
    }
    const headers = { location: 'https://example.org/secret' };
    expect(reason({ status: 302, headers })).not.toContain('secret');
  });
};
