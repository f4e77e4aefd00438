import { toSafeLine } from './content.js';
import { judgeByStatus, type WebhookEvent, type WebhookFormat } from './format.js';

/** The tool's German sentence. It has no other language, so the webhook's language does not count. */
const describeEvent = ({ count, site, source, test }: WebhookEvent): string => {
  if (test) return '✅ Test-Benachrichtigung vom UniFi Voucher System.';
  const vouchers = count === 1 ? 'Ein Voucher' : `${String(count)} Voucher`;
  return `🎫 ${vouchers} für "${toSafeLine(site)}" von ${toSafeLine(source)} erstellt.`;
};

/** As PHP writes JSON: receivers may compare bytes. */
const toPhpJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * What the PHP tool sends, for receivers that were written for it. It is not signed and has no id. `event` is for
 * programs, so its values are sent unchanged.
 */
export const phpTool: WebhookFormat = {
  name: 'php-tool',
  compose: (event) => {
    const { count, site, source, test } = event;
    return {
      headers: { 'content-type': 'application/json' },
      body: toPhpJson({
        text: describeEvent(event),
        event: test ? { type: 'test' } : { type: 'voucher_created', count, site, user: source },
      }),
    };
  },
  judge: judgeByStatus([410]),
};
