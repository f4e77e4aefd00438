import { buildContent, buildJsonMessage, escapeAngles } from './content.js';
import { judgeByStatus, type WebhookFormat } from './format.js';

/** Without formatting, mentions or `:smile:`; only `&`, `<` and `>` have to be escaped. */
const plain = (text: string): object => ({ type: 'plain_text', text: escapeAngles(text), emoji: false });

/** An incoming webhook of Slack. */
export const slack: WebhookFormat = {
  name: 'slack',
  compose: (event, { language }) => {
    const { title, colon, facts } = buildContent(event, language);
    const lines = facts.map(({ label, value }) => `${label}${colon}${value}`);
    return buildJsonMessage({
      // Shown only in system notifications, which cannot show blocks.
      text: escapeAngles([title, ...lines].join('\n')),
      mrkdwn: false,
      link_names: false,
      blocks: [{ type: 'section', text: plain(title), fields: lines.map(plain) }],
    });
  },
  judge: judgeByStatus([400, 403, 404, 410]),
};
