import { buildContent, buildJsonMessage } from './content.js';
import { judgeByStatus, throttledVerdict, type WebhookFormat } from './format.js';

const judge = judgeByStatus([400, 401, 403, 404]);

// Older connectors answer 200 when they are throttled.
const hiddenThrottle = 'Microsoft Teams endpoint returned HTTP error 429';

/** Text runs ignore markdown, but replace `{{DATE(…)}}` and `{{TIME(…)}}`: these are split into two runs. */
const runsOf = (text: string): object[] =>
  text.split(/(?<=\{)(?=\{(?:DATE|TIME)\()/).map((part) => ({ type: 'TextRun', text: part }));

/** A Workflows webhook of Microsoft Teams: an adaptive card. */
export const teams: WebhookFormat = {
  name: 'teams',
  compose: (event, { language }) => {
    const { title, colon, facts } = buildContent(event, language);
    const rows = facts.map(({ label, value }) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text: `${label}${colon}`, weight: 'Bolder' }, ...runsOf(value)],
    }));
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [{ type: 'TextBlock', size: 'Medium', weight: 'Bolder', text: title, wrap: true }, ...rows],
    };
    const contentType = 'application/vnd.microsoft.card.adaptive';
    return buildJsonMessage({ type: 'message', attachments: [{ contentType, contentUrl: null, content }] });
  },
  judge: (answer) =>
    answer.status === 200 && answer.body.includes(hiddenThrottle) ? throttledVerdict(answer) : judge(answer),
};
