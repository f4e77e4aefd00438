import { expect, test } from '@jest/globals';
import { mattermost } from '../../../src/webhooks/formats/mattermost.js';
import { formatConformance, now, someEvent } from '../../conformance/format.js';
import { entities, markup, readLines, scan, shows } from './markupParser.js';

/** What the server makes of what Slack would mean, before anybody reads markdown. */
const rewrite = (text: string): string =>
  text
    .replaceAll(/<!(channel|here|all)>/g, '@$1')
    .replaceAll(/<@([a-zA-Z0-9]+)>/g, '@user-$1')
    .replaceAll(/<([^<|]+)\|([^>]+)>/g, '[$2]($1)');

const withoutPad = (code: string): string => {
  const padded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return padded ? code.slice(1, -1) : code;
};

/** What Mattermost reads in a post, in this order. */
const rules = [
  markup('heading, quote, list or block', /(?<=^|\n)(?:#{1,6} |> ?|[-*+] |\d+\. |```|~~~| {4})/),
  shows(/(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/, ([, , code]) => withoutPad(code!)),
  shows(/\\([!-/:-@[-`{-~])/, ([, character]) => character!),
  entities,
  markup('mention', /@[\w.-]+/),
  markup('channel', /~[\w-]+/),
  markup('hashtag', /#[a-z]\w+/),
  markup('emoji', /:[\w+-]+:/),
  markup('html', /<[^>]*>/),
  markup('link', /!?\[[^\]]*\]\([^)]*\)|https?:\/\/\S+|www\.\S+/),
  markup('formula', /\$[^$]+\$/),
  markup('bold', /\*\*([^]+?)\*\*/),
  markup('italic', /\*([^*]+)\*/),
  markup('italic', /_([^_]+)_/),
  markup('strike', /~~([^]+?)~~/),
];

formatConformance({
  format: mattermost,
  read: (body, language) => {
    const { text } = JSON.parse(body) as { text: string };
    return readLines(scan(rewrite(text), rules), language);
  },
  checkSize: (body) => {
    expect(Array.from((JSON.parse(body) as { text: string }).text).length).toBeLessThanOrEqual(16_383);
  },
  failures: [400, 403, 404],
});

test('a message as it is sent', () => {
  const event = someEvent({ site: '<!channel>', source: 'API: a`b' });
  const { body } = mattermost.compose(event, { language: 'en', secrets: [], now });
  expect(JSON.parse(body)).toEqual({
    text: '**1 voucher created**\nSite: &lt;`!channel>`\nSource: ``API: a`b``',
  });
});
