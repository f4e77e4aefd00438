import type { Format } from '../format.js';
import { contentOf, escapeAngles, jsonMessage } from './content.js';
import { judgeBy } from './verdict.js';

/** Google Chat's incoming webhook: a card, whose texts know some HTML and nothing else; `text` would know markup. */
export const googleChat: Format = {
  name: 'google-chat',
  compose: (event, { language }) => {
    const { title, facts } = contentOf(event, language);
    const widgets = facts.map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: escapeAngles(value), wrapText: true },
    }));
    return jsonMessage({
      cardsV2: [{ cardId: 'voucherd', card: { header: { title }, sections: [{ widgets }] } }],
    });
  },
  judge: judgeBy([400, 401, 403, 404]),
};
