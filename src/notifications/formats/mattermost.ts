import { buildContent, buildJsonMessage } from './content.js';
import { judgeByStatus, type WebhookFormat } from './format.js';

/** A code span, in which neither markdown nor mentions are read: its fence is longer than any run of backticks inside. */
const codeSpan = (text: string): string => {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  // One blank at each end is not shown; without it a backtick there would belong to the fence. Only blanks are shown.
  const pad = /^[` ]|[` ]$/.test(text) && text.trim() !== '' ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
};

/**
 * Before it reads markdown, and so within code spans too, the server rewrites `<!channel>`, `<@user>` and
 * `<address|text>` as Slack means them. A `<` that is written as an entity, between code spans, escapes that.
 */
const literal = (text: string): string =>
  text
    .split('<')
    .map((part) => (part === '' ? '' : codeSpan(part)))
    .join('&lt;');

/** Mattermost's incoming webhook. */
export const mattermost: WebhookFormat = {
  name: 'mattermost',
  compose: (event, { language }) => {
    const { title, facts } = buildContent(event, language);
    const lines = facts.map(({ label, value }) => `${label}: ${literal(value)}`);
    return buildJsonMessage({ text: [`**${title}**`, ...lines].join('\n') });
  },
  judge: judgeByStatus([400, 403, 404]),
};
