import { describeOutage, toSafeLine } from './content.js';
import { judgeByStatus, type WebhookEvent, type WebhookFormat } from './format.js';

/** The tool's German sentence. It has no other language, so the webhook's language does not count. */
const describeEvent = (event: WebhookEvent): string => {
  if (event.test) return '✅ Test-Benachrichtigung vom UniFi Voucher System.';
  if (event.type !== 'voucher.created') {
    const site = toSafeLine(event.sites.join(', '));
    return `⚠️ UniFi-Controller für "${site}" nicht erreichbar. (${toSafeLine(describeOutage(event, 'de'))})`;
  }
  const { count, site, source } = event;
  const vouchers = count === 1 ? 'Ein Voucher' : `${String(count)} Voucher`;
  return `🎫 ${vouchers} für "${toSafeLine(site)}" von ${toSafeLine(source)} erstellt.`;
};

const toPhpEvent = (event: WebhookEvent): object => {
  if (event.test) return { type: 'test' };
  if (event.type !== 'voucher.created')
    return {
      type: 'controller_unreachable',
      site: event.sites.join(', '),
      detail: describeOutage(event, 'de'),
    };
  const { count, site, source } = event;
  return { type: 'voucher_created', count, site, user: source };
};

/** As PHP writes JSON: receivers may compare bytes. */
const toPhpJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * What the PHP tool sends, for receivers that were written for it. It is not signed and has no id.
 * `event` is for programs, so its values are sent unchanged.
 */
export const phpTool: WebhookFormat = {
  name: 'php-tool',
  compose: (event) => ({
    headers: { 'content-type': 'application/json' },
    body: toPhpJson({ text: describeEvent(event), event: toPhpEvent(event) }),
  }),
  judge: judgeByStatus([410]),
};
