import { buildContent, buildJsonMessage, escapeAngles } from './content.js';
import { judgeByStatus, type WebhookFormat } from './format.js';

/** Knows neither formatting nor mentions nor `:smile:`, only the escapes of `&`, `<` and `>`. */
const plain = (text: string): object => ({ type: 'plain_text', text: escapeAngles(text), emoji: false });

/** Slack's incoming webhook. */
export const slack: WebhookFormat = {
  name: 'slack',
  compose: (event, { language }) => {
    const { title, facts } = buildContent(event, language);
    const lines = facts.map(({ label, value }) => `${label}: ${value}`);
    return buildJsonMessage({
      // Only in notifications of the system, where blocks can not be shown.
      text: escapeAngles([title, ...lines].join('\n')),
      mrkdwn: false,
      link_names: false,
      blocks: [{ type: 'section', text: plain(title), fields: lines.map(plain) }],
    });
  },
  judge: judgeByStatus([400, 403, 404, 410]),
};
