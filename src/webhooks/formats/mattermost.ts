import { buildContent, buildJsonMessage } from './content.js';
import { judgeByStatus, type WebhookFormat } from './format.js';

/**
 * A code span, which disables markdown and mentions. Its fence is longer than any run of backticks inside.
 */
const codeSpan = (text: string): string => {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  // One blank at each end is not shown, and separates a backtick from the fence.
  // A value of blanks alone is shown as is.
  const pad = /^[` ]|[` ]$/.test(text) && text.trim() !== '' ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
};

/**
 * Before it parses markdown, and so even in code spans, the server interprets Slack's `<!channel>`, `<@user>` and
 * `<address|text>`. A `<` written as an entity between code spans prevents that.
 */
const literal = (text: string): string =>
  text
    .split('<')
    .map((part) => (part === '' ? '' : codeSpan(part)))
    .join('&lt;');

/** An incoming webhook of Mattermost. */
export const mattermost: WebhookFormat = {
  name: 'mattermost',
  compose: (event, { language }) => {
    const { title, colon, facts } = buildContent(event, language);
    const lines = facts.map(({ label, value }) => `${label}${colon}${literal(value)}`);
    return buildJsonMessage({ text: [`**${title}**`, ...lines].join('\n') });
  },
  judge: judgeByStatus([400, 403, 404]),
};
