import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { withApi } from '../support/api.js';
import { run } from '../support/cli.js';
import { until } from '../support/until.js';

const allowed = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' };
const api = withApi({
  env: allowed,
  admin: 'Anna Berger',
  key: { name: 'Buchungssystem' },
  site: { name: 'Gästehaus' },
  beforeStop: () => target.stop(),
});
let target: WebhookTarget;

const formats = ['generic', 'slack', 'mattermost', 'discord', 'teams', 'google-chat'];

beforeAll(async () => {
  target = await startWebhookTarget();
  for (const format of formats) {
    const env = { DATA_DIR: api.dataDir, TARGET: `${target.url}/${format}`, ...allowed };
    const added = await run(
      ['webhook', 'add', '--name', format, '--format', format, '--language', 'de', '--url-env', 'TARGET'],
      env,
    );
    expect(added).toMatchObject({ status: 0, err: '' });
  }
});
afterEach(() => {
  target.requests.length = 0;
});

/** What each target has got, once all have. */
const received = async (): Promise<Record<string, unknown>> => {
  await until('all targets have it', () => target.requests.length === formats.length);
  return Object.fromEntries(target.requests.map(({ path, body }) => [path.slice(1), JSON.parse(body)]));
};

/** The parts by which each platform knows a message, with what a person reads in it. */
const messages = (source: string) => {
  const plain = (text: string) => expect.objectContaining({ type: 'plain_text', text });
  const marked = `**1 Voucher erstellt**\nStandort: \`Gästehaus\`\nQuelle: \`${source}\``;
  const lines = [`Standort: Gästehaus`, `Quelle: ${source}`];
  const run = (label: string, text: string) =>
    expect.objectContaining({
      type: 'RichTextBlock',
      inlines: [expect.objectContaining({ text: label }), expect.objectContaining({ text })],
    });
  const decorated = (topLabel: string, text: string) => ({
    decoratedText: expect.objectContaining({ topLabel, text }),
  });
  return {
    generic: {
      type: 'voucher.created',
      timestamp: expect.any(String),
      data: { count: 1, site: 'Gästehaus', source },
    },
    slack: expect.objectContaining({
      text: ['1 Voucher erstellt', ...lines].join('\n'),
      blocks: [{ type: 'section', text: plain('1 Voucher erstellt'), fields: lines.map(plain) }],
    }),
    mattermost: { text: marked },
    discord: expect.objectContaining({ content: marked, allowed_mentions: { parse: [] } }),
    teams: {
      type: 'message',
      attachments: [
        expect.objectContaining({
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: expect.objectContaining({
            type: 'AdaptiveCard',
            body: [
              expect.objectContaining({ type: 'TextBlock', text: '1 Voucher erstellt' }),
              run('Standort: ', 'Gästehaus'),
              run('Quelle: ', source),
            ],
          }),
        }),
      ],
    },
    'google-chat': {
      cardsV2: [
        expect.objectContaining({
          card: {
            header: { title: '1 Voucher erstellt' },
            sections: [{ widgets: [decorated('Standort', 'Gästehaus'), decorated('Quelle', source)] }],
          },
        }),
      ],
    },
  };
};

test('a voucher of the API is told to each platform in its own format [notification-chat notification-without-code]', async () => {
  const { body } = await api.createVoucher();
  expect(await received()).toEqual(messages('API: Buchungssystem'));
  const sent = target.requests.map(({ body: text }) => text).join('\n');
  const { code, formatted_code } = body as { code: string; formatted_code: string };
  expect(sent).not.toMatch(new RegExp(`${code}|${formatted_code}`));
});

test('a voucher of the web UI is told in the same way [notification-of-desk-order]', async () => {
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const order = { siteId: api.siteId, name: 'Zimmer 12', count: 1, limits };
  const placed = await api.admin.put(`/orders/${randomUUID()}`, order);
  expect(placed).toMatchObject({ status: 200, body: { made: 1 } });
  expect(await received()).toEqual(messages('Anna Berger'));
});
