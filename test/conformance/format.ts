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

  test('shows count, site and source, and that it is only a test, in every language', () => {
    const values = { site: 'Hauptgebäude', source: 'API: Buchungssystem' };
    for (const language of pageLanguages) {
      const { one, three, test: only } = titles[language];
      expect(readingOf({}, language)).toMatchObject({ ...values, title: one });
      expect(readingOf({ count: 3 }, language)).toMatchObject({ ...values, title: three });
      expect(readingOf({ test: true }, language).title).toBe(only);
    }
  });

  test('is JSON, and says so', () => {
    expect(compose().headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(JSON.parse(compose().body)).toEqual(expect.any(Object));
  });

  test('holds no code', () => {
    for (const count of [1, 99_999]) expect(compose({ count }).body).not.toMatch(/\d{5}[- ]?\d{5}/);
  });

  test('shows what is markup elsewhere as text', () => {
    const usual = readingOf();
    for (const value of hostileValues) {
      expect(readingOf({ site: value })).toEqual({ ...usual, site: seen(value) });
      const source = `API: ${value}`;
      expect(readingOf({ source })).toEqual({ ...usual, source: seen(source) });
    }
  });

  test('shows any mixture of markup as text', () => {
    const { title, markup } = readingOf();
    fc.assert(
      fc.property(mixtures, mixtures, (site, source) => {
        const expected = { title, site: seen(site).trim(), source: seen(source).trim(), markup };
        const reading = readingOf({ site, source });
        expect({ ...reading, site: reading.site.trim(), source: reading.source.trim() }).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  test('keeps the limits with the longest names', () => {
    for (const piece of ['🎉', '`', '<', '&', '*', '"', 'א', '{{DATE(']) {
      const site = Array.from(piece.repeat(maxLength)).slice(0, maxLength).join('');
      const { body } = compose({ site, source: `API: ${site}` });
      checkSize(body);
      expect(read(body, 'en')).toMatchObject({ site: seen(site), source: seen(`API: ${site}`) });
    }
  });

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

  test('some are failed for good', () => {
    for (const status of failures)
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

  test('429 and 503: Retry-After is honoured', () => {
    const date = 'Sat, 14 Nov 2026 09:30:00 GMT';
    const later = 'Sat, 14 Nov 2026 09:32:00 GMT';
    const cases: [WebhookResponse['headers'], number | undefined][] = [
      [{ 'retry-after': '30' }, 30],
      [{ 'retry-after': later, date }, 120],
      [{ 'retry-after': date, date: later }, 0],
      ...['', 'soon', '-1', later, '9'.repeat(400)].map(
        (useless): [WebhookResponse['headers'], undefined] => [{ 'retry-after': useless }, undefined],
      ),
      [{ 'retry-after': 'soon', date }, undefined],
      [{ 'retry-after': '14 Nov 2026 09:32', date }, undefined],
    ];
    for (const status of [429, 503])
      for (const [headers, afterSeconds] of cases) {
        const verdict = judge({ status, headers });
        const got = verdict.outcome === 'retry' ? verdict.afterSeconds : verdict;
        expect({ status, headers, afterSeconds: got }).toEqual({ status, headers, afterSeconds });
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
