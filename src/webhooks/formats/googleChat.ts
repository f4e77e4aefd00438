import { buildContent, buildJsonMessage, escapeAngles } from './content.js';
import { judgeByStatus, type WebhookFormat } from './format.js';

/**
 * An incoming webhook of Google Chat: a card, because its
 * texts allow only some HTML; `text` would allow markup.
 */
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
