import type { Format, TargetAnswer } from '../format.js';
import { contentOf, jsonMessage } from './content.js';
import { judgeBy } from './verdict.js';

const suppressEmbeds = 4;

const judge = judgeBy([400, 401, 404]);

/**
 * A code span keeps everything but backticks from being markup. A longer fence would not help: three backticks open
 * a code block wherever they stand. So a value with backticks has its punctuation escaped instead.
 */
const literal = (text: string): string => {
  if (text === '') return '';
  return text.includes('`') ? text.replace(/[!-/:-@[-`{-~]/g, '\\$&') : `\`${text}\``;
};

/** The exact number of seconds to wait; the header has it rounded. */
const retryAfterOf = ({ body }: TargetAnswer): number | undefined => {
  try {
    const seconds = (JSON.parse(body) as { retry_after?: unknown } | null)?.retry_after;
    return typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
  } catch {
    return undefined;
  }
};

/** Discord's webhook. */
export const discord: Format = {
  name: 'discord',
  compose: (event, { language }) => {
    const { title, facts } = contentOf(event, language);
    const lines = facts.map(({ label, value }) => `${label}: ${literal(value)}`);
    return jsonMessage({
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
