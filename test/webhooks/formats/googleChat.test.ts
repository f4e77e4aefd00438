import { expect, test } from '@jest/globals';
import { googleChat } from '../../../src/webhooks/formats/googleChat.js';
import { formatConformance, now, someEvent } from '../../conformance/format.js';
import { entities, labels, markup, scan } from './markupParser.js';

interface Body {
  cardsV2: {
    card: {
      header: { title: string };
      sections: { widgets: { decoratedText: { topLabel: string; text: string } }[] }[];
    };
  }[];
}

/** Texts of a card are HTML; other markup is known only in `text`. */
const html = [entities, markup('html', /<[^>]*>?/)];

formatConformance({
  format: googleChat,
  read: (body, language) => {
    const parsed = JSON.parse(body) as Body;
    expect(Object.keys(parsed)).toEqual(['cardsV2']);
    const { header, sections } = parsed.cardsV2[0]!.card;
    const facts = sections.flatMap(({ widgets }) => widgets).map(({ decoratedText }) => decoratedText);
    expect(facts.map(({ topLabel }) => topLabel)).toEqual(labels[language]);
    const [site, source] = facts.map(({ text }) => scan(text, html));
    const { title } = header;
    return { title, site: site!.text, source: source!.text, markup: [...site!.markup, ...source!.markup] };
  },
  checkSize: (body) => expect(Buffer.byteLength(body)).toBeLessThan(32_000),
  failures: [400, 401, 403, 404],
});

test('a message as it is sent', () => {
  const { body } = googleChat.compose(someEvent({ site: '<b>a</b>' }), { language: 'de', secrets: [], now });
  const widget = (topLabel: string, text: string) => ({ decoratedText: { topLabel, text, wrapText: true } });
  const widgets = [widget('Standort', '&lt;b&gt;a&lt;/b&gt;'), widget('Quelle', 'API: Buchungssystem')];
  const card = { header: { title: '1 Voucher erstellt' }, sections: [{ widgets }] };
  expect(JSON.parse(body)).toEqual({ cardsV2: [{ cardId: 'voucherd', card }] });
});
