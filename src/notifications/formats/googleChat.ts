import { buildContent, buildJsonMessage, escapeAngles } from './content.js';
import { judgeByStatus, type WebhookFormat } from './format.js';

/** Google Chat's incoming webhook: a card, whose texts know some HTML and nothing else; `text` would know markup. */
export const googleChat: WebhookFormat = {
  name: 'google-chat',
  compose: (event, { language }) => {
    const { title, facts } = buildContent(event, language);
    const widgets = facts.map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: escapeAngles(value), wrapText: true },
    }));
    return buildJsonMessage({
      cardsV2: [{ cardId: 'voucherd', card: { header: { title }, sections: [{ widgets }] } }],
    });
  },
  judge: judgeByStatus([400, 401, 403, 404]),
};
