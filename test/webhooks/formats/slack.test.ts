import { expect, test } from '@jest/globals';
import { slack } from '../../../src/webhooks/formats/slack.js';
import { formatConformance, now, someEvent, type RenderedMessage } from '../../conformance/format.js';
import { entities, markup, readLines, scan } from './markupParser.js';

interface TextObject {
  type: string;
  text: string;
  emoji: boolean;
}

interface Body {
  text: string;
  mrkdwn: boolean;
  link_names: boolean;
  blocks: { type: string; text: TextObject; fields: TextObject[] }[];
}

/** What Slack reads in plain text; `&` stands for itself only when it begins none of its three entities. */
const rules = [entities, markup('mention or link', /<[^>]*>/)];
const emoji = markup('emoji', /:[\w+-]+:/);

const readBlocks = (body: Body): { text: string; markup: string[] } => {
  const lines = body.blocks.flatMap(({ text, fields }) => [text, ...fields]);
  const read = lines.map(({ type, text, emoji: emojis }) => {
    expect(type).toBe('plain_text');
    return scan(text, emojis ? [...rules, emoji] : rules);
  });
  return {
    text: read.map(({ text }) => text).join('\n'),
    markup: read.flatMap(({ markup: found }) => found),
  };
};

formatConformance({
  format: slack,
  read: (body, language): RenderedMessage => {
    const parsed = JSON.parse(body) as Body;
    // Otherwise `*`, `_`, `~`, "`" and `@channel` would be read in the text for notifications.
    expect(parsed).toMatchObject({ mrkdwn: false, link_names: false });
    const reading = readLines(readBlocks(parsed), language);
    expect(readLines(scan(parsed.text, rules), language)).toEqual(reading);
    return reading;
  },
  checkSize: (body) => {
    const { text, blocks } = JSON.parse(body) as Body;
    expect(text.length).toBeLessThanOrEqual(40_000);
    for (const block of blocks) {
      expect(block.text.text.length).toBeLessThanOrEqual(3000);
      for (const field of block.fields) expect(field.text.length).toBeLessThanOrEqual(2000);
    }
  },
  failures: [400, 403, 404, 410],
});

test('a message as it is sent', () => {
  const { body } = slack.compose(someEvent({ site: '<!channel> & *' }), { language: 'de', secrets: [], now });
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const lines = ['Standort: &lt;!channel&gt; &amp; *', 'Quelle: API: Buchungssystem'];
  expect(JSON.parse(body)).toEqual({
    text: ['1 Voucher erstellt', ...lines].join('\n'),
    mrkdwn: false,
    link_names: false,
    blocks: [{ type: 'section', text: plain('1 Voucher erstellt'), fields: lines.map(plain) }],
  });
});
