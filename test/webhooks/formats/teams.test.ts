import { expect, test } from '@jest/globals';
import { teams } from '../../../src/webhooks/formats/teams.js';
import { formatConformance, now, someAnswer, someEvent } from '../../conformance/format.js';
import { markup, readLines, scan, type Rule } from './markupParser.js';

interface Element {
  type: string;
  text?: string;
  inlines?: Element[];
}

interface Body {
  attachments: { content: { body: Element[] } }[];
}

const replaced = [markup('date or time', /\{\{(?:DATE|TIME)\([^)]*\)\}\}/)];
const markdown = [
  ...replaced,
  markup('mention', /<at>[^]*?<\/at>/),
  markup('link', /\[[^\]]*\]\([^)]*\)/),
  markup('bold', /\*\*([^]+?)\*\*/),
  markup('italic', /_([^_]+)_|\*([^*]+)\*/),
  markup('list', /^(?:- |\d+\. )/),
];

/** Only a TextBlock knows markdown; each text replaces dates and times by itself. */
const readElement = ({ type, text = '', inlines = [] }: Element): { text: string; markup: string[] } => {
  const known: Readonly<Record<string, Rule[]>> = {
    TextBlock: markdown,
    TextRun: replaced,
    RichTextBlock: [],
  };
  const rules = known[type];
  if (!rules) throw new Error(`unexpected element ${type}`);
  const read = [scan(text, rules), ...inlines.map(readElement)];
  return { text: read.map((part) => part.text).join(''), markup: read.flatMap((part) => part.markup) };
};

formatConformance({
  format: teams,
  read: (body, language) => {
    const [attachment] = (JSON.parse(body) as Body).attachments;
    const read = attachment!.content.body.map(readElement);
    const text = read.map((part) => part.text).join('\n');
    return readLines({ text, markup: read.flatMap((part) => part.markup) }, language);
  },
  checkSize: (body) => expect(Buffer.byteLength(body)).toBeLessThan(28_000),
  failures: [400, 401, 403, 404],
});

test('a message as it is sent', () => {
  const { body } = teams.compose(someEvent({ site: '**a**' }), { language: 'de', secrets: [], now });
  const row = (label: string, text: string) => ({
    type: 'RichTextBlock',
    inlines: [
      { type: 'TextRun', text: label, weight: 'Bolder' },
      { type: 'TextRun', text },
    ],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', size: 'Medium', weight: 'Bolder', text: '1 Voucher erstellt', wrap: true },
      row('Standort: ', '**a**'),
      row('Quelle: ', 'API: Buchungssystem'),
    ],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  expect(JSON.parse(body)).toEqual({
    type: 'message',
    attachments: [{ contentType, contentUrl: null, content }],
  });
});

test('a 200 that hides a 429: throttled; any other 200 is delivered', () => {
  const hidden =
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0';
  expect(teams.judge(someAnswer({ body: hidden }))).toEqual({
    outcome: 'retry',
    reason: { code: 'throttled', values: {} },
    wholeTarget: true,
  });
  expect(teams.judge(someAnswer({ body: '1' }))).toEqual({ outcome: 'delivered' });
});
