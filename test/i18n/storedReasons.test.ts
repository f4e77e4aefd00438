import { expect, test } from '@jest/globals';
import {
  describeReason,
  parseReason,
  serialiseReason,
  type AttemptReason,
  type EmailReason,
} from '../../src/i18n/storedReasons.js';
import { loadTexts } from '../../src/i18n/texts.js';
import { judgeByStatus } from '../../src/webhooks/formats/format.js';
import { makeWebhookSender, reasonOf, type WebhookSender } from '../../src/webhooks/sender.js';
import { AddressRefused, makeSsrfGuard } from '../../src/ssrf/ssrfGuard.js';

const guard = makeSsrfGuard([]);
const refusalOf = (address: string): AddressRefused => {
  try {
    guard.check(address);
  } catch (error) {
    if (error instanceof AddressRefused) return error;
  }
  throw new Error(`${address} is not refused`);
};

test.each([
  [
    'http://10.0.0.1/',
    '10.0.0.1 ist eine private Adresse; wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
  ],
  [
    'http://[::ffff:1.2.3.4]/',
    '::ffff:102:304 ist eine IPv4-Adresse in IPv6; wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
  ],
  [
    'http://localhost/',
    'localhost ist dieser Rechner; wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
  ],
  ['https://u:p@example.org/', 'Benutzername oder Passwort in der Adresse sind nicht erlaubt'],
])('why the address %s is refused is said in German, too', (address, german) => {
  const { reason, message } = refusalOf(address);
  expect(describeReason('attempt', reason)).toMatchObject({ de: german, en: message });
});

test.each([
  [404, '', 'hat mit 404 geantwortet'],
  [404, 'no_service', 'hat mit 404 geantwortet (no_service)'],
  [302, '', 'hat mit 302 geantwortet, einer Weiterleitung'],
  [429, '', 'nimmt gerade nicht mehr an (429)'],
])('what an answer %d %s means is said in German, too', (status, body, german) => {
  const verdict = judgeByStatus([])({ status, headers: {}, body });
  expect(verdict.outcome === 'delivered' ? '' : describeReason('attempt', verdict.reason).de).toBe(german);
});

test('a name that leads to a private address, and no connection, are said in German, too', async () => {
  const resolving = makeSsrfGuard([], (_name, _options, callback) =>
    callback(null, [{ address: '192.168.0.7', family: 4 }]),
  );
  const attempt = async ({ send, close }: WebhookSender, address: string): Promise<string> => {
    try {
      const { status } = await send(address, { headers: {}, body: '' });
      return String(status);
    } catch (error) {
      return describeReason('attempt', reasonOf(error)).de;
    } finally {
      await close();
    }
  };
  expect(await attempt(makeWebhookSender({ guard: resolving, timeoutMs: 60_000 }), 'http://x.example/')).toBe(
    'x.example führt zu 192.168.0.7, das ist eine private Adresse; wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
  );
  const local = makeWebhookSender({ guard: makeSsrfGuard(['127.0.0.1']), timeoutMs: 60_000 });
  expect(await attempt(local, 'http://127.0.0.1:1/')).toBe('Verbindung abgelehnt');
});

test('a reason is stored as a code and its values', () => {
  const reason: AttemptReason = { code: 'answered-code', values: { status: 404, code: 'no_service' } };
  expect(serialiseReason(reason)).toBe(
    '{"code":"answered-code","values":{"status":404,"code":"no_service"}}',
  );
  expect(parseReason('attempt', serialiseReason(reason))).toEqual(reason);
  expect(parseReason('attempt', serialiseReason(null))).toBeNull();
});

test.each([
  'null',
  '404',
  // A later version may have more codes, and more values.
  '{"code":"unheard-of","values":{}}',
  '{"code":"text","values":{}}',
])('%s in the database is shown as it is', (stored) => {
  for (const kind of ['attempt', 'email'] as const)
    expect(describeReason(kind, parseReason(kind, stored))).toMatchObject({ de: stored, en: stored });
});

test('why an e-mail was not sent is worded in both languages', () => {
  const reason: EmailReason = { code: 'answered', values: { answer: '550 no such mailbox' } };
  expect(describeReason('email', parseReason('email', serialiseReason(reason)))).toMatchObject({
    de: 'Antwort des Mailservers: 550 no such mailbox',
    en: 'the mail server answered: 550 no such mailbox',
  });
});

/** The operator reads of a failure in German what those who ordered read. */
const differing = ({ finding }: ReturnType<typeof loadTexts>) => ({
  failureDetail: {},
  finding: { ...finding, 'secrets-unknown': '' },
});

test('both languages have the same values in every text', () => {
  const valuesIn = (table: ReturnType<typeof loadTexts>): unknown =>
    Object.entries({ ...table, ...differing(table) })
      .flatMap(([kind, texts]) =>
        Object.entries<string>(texts).map(([code, text]) => [
          kind,
          code,
          ...(text.match(/\{\w+\}/g) ?? []).toSorted(),
        ]),
      )
      .toSorted();
  expect(valuesIn(loadTexts('de'))).toEqual(valuesIn(loadTexts('en')));
});
