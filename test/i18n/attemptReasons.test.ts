import { expect, test } from '@jest/globals';
import { describeReason } from '../../src/i18n/attemptReasons.js';
import { judgeByStatus } from '../../src/webhooks/formats/format.js';
import { makeWebhookSender, type WebhookSender } from '../../src/webhooks/sender.js';
import { makeSsrfGuard } from '../../src/ssrf/ssrfGuard.js';

const guard = makeSsrfGuard([]);
const refusalOf = (address: string): string => {
  try {
    return guard.check(address).href;
  } catch (error) {
    return (error as Error).message;
  }
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
  const reason = refusalOf(address);
  expect(describeReason(reason)).toEqual({ de: german, en: reason });
});

test.each([
  [404, '', 'hat mit 404 geantwortet'],
  [404, 'no_service', 'hat mit 404 geantwortet (no_service)'],
  [302, '', 'hat mit 302 geantwortet, einer Weiterleitung'],
  [429, '', 'nimmt gerade nicht mehr an (429)'],
])('what an answer %d %s means is said in German, too', (status, body, german) => {
  const verdict = judgeByStatus([])({ status, headers: {}, body });
  expect(verdict.outcome === 'delivered' ? '' : describeReason(verdict.reason).de).toBe(german);
});

test('a name that leads to a private address, and no connection, are said in German, too', async () => {
  const resolving = makeSsrfGuard([], (_name, _options, callback) =>
    callback(null, [{ address: '192.168.0.7', family: 4 }]),
  );
  const reasonOf = async ({ send, close }: WebhookSender, address: string): Promise<string> => {
    try {
      const { status } = await send(address, { headers: {}, body: '' });
      return String(status);
    } catch (error) {
      return describeReason((error as Error).message).de;
    } finally {
      await close();
    }
  };
  expect(
    await reasonOf(makeWebhookSender({ guard: resolving, timeoutMs: 60_000 }), 'http://x.example/'),
  ).toBe(
    'x.example führt zu 192.168.0.7, das ist eine private Adresse; wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
  );
  const local = makeWebhookSender({ guard: makeSsrfGuard(['127.0.0.1']), timeoutMs: 60_000 });
  expect(await reasonOf(local, 'http://127.0.0.1:1/')).toBe('Verbindung abgelehnt');
});

test('a reason that is not known is shown as it is', () => {
  expect(describeReason('answered nothing at all')).toEqual({
    de: 'answered nothing at all',
    en: 'answered nothing at all',
  });
});
