import { buildContent, buildJsonMessage } from './content.js';
import { judgeByStatus, type WebhookFormat, type WebhookResponse } from './format.js';

const suppressEmbeds = 4;

const judge = judgeByStatus([400, 401, 404]);

/**
 * In a code span, only backticks are markup. A longer fence would not help:
 * three backticks always open a code block. So the punctuation of a value with backticks is escaped instead.
 */
const literal = (text: string): string => {
  if (text === '') return '';
  return text.includes('`') ? text.replace(/[!-/:-@[-`{-~]/g, '\\$&') : `\`${text}\``;
};

/** The exact number of seconds to wait; the header is rounded. */
const retryAfterOf = ({ body }: WebhookResponse): number | undefined => {
  try {
    const seconds = (JSON.parse(body) as { retry_after?: unknown } | null)?.retry_after;
    return typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
  } catch {
    return undefined;
  }
};

/** A Discord webhook. */
export const discord: WebhookFormat = {
  name: 'discord',
  compose: (event, { language }) => {
    const { title, colon, facts } = buildContent(event, language);
    const lines = facts.map(({ label, value }) => `${label}${colon}${literal(value)}`);
    return buildJsonMessage({
      content: [`**${title}**`, ...lines].join('\n'),
      allowed_mentions: { parse: [] },
      flags: suppressEmbeds,
    });
  },
  judge: (answer) => {
    const verdict = judge(answer);
    const afterSeconds = answer.status === 429 ? retryAfterOf(answer) : undefined;
    return verdict.outcome === 'retry' && afterSeconds !== undefined ? { ...verdict, afterSeconds } : verdict;
  },
};
