import { expect, test } from '@jest/globals';
import { discord } from '../../../src/webhooks/formats/discord.js';
import { formatConformance, now, someAnswer, someEvent } from '../../conformance/format.js';
import { markup, readLines, scan, shows } from './markupParser.js';

/** What Discord's clients read in a message, in this order. */
const rules = [
  markup('heading, quote or list', /(?<=^|\n)(?:#{1,3} |-# |>{1,3} |[-*] |\d+\. )/),
  markup('code block', /```[^]+?```/),
  shows(/(`+)([^]*?[^`])\1(?!`)/, ([, , code]) => code!.trim()),
  shows(/\\([^0-9A-Za-z\s])/, ([, character]) => character!),
  markup('mention', /@everyone|@here|<@[!&]?\d*>|<#\d*>|<\/[^>]+:\d+>/),
  markup('emoji', /<a?:\w+:\d+>|:[^\s:]+:/),
  markup('time', /<t:-?\d+(?::\w)?>/),
  markup('link', /<https?:[^>]*>|https?:\/\/\S+|\[[^\]]+\]\([^)]+\)|discord\.gg\/\w+/),
  markup('spoiler', /\|\|([^]+?)\|\|/),
  markup('bold', /\*\*([^]+?)\*\*/),
  markup('underline', /__([^]+?)__/),
  markup('strike', /~~([^]+?)~~/),
  markup('italic', /\*(?=\S)([^*]+?)\*/),
  markup('italic', /_([^_]+?)_/),
];

formatConformance({
  format: discord,
  read: (body, language) => {
    const { content } = JSON.parse(body) as { content: string };
    return readLines(scan(content, rules), language);
  },
  checkSize: (body) => {
    expect((JSON.parse(body) as { content: string }).content.length).toBeLessThanOrEqual(2000);
  },
  failures: [400, 401, 404],
});

test('nobody is mentioned and nothing is embedded', () => {
  const { body } = discord.compose(someEvent({ site: '@everyone' }), { language: 'de', secrets: [], now });
  expect(JSON.parse(body)).toEqual({
    content: '**1 Voucher erstellt**\nStandort: `@everyone`\nQuelle: `API: Buchungssystem`',
    allowed_mentions: { parse: [] },
    flags: 4,
  });
});

test("the body's retry_after counts before the header, and only when throttled", () => {
  const headers = { 'retry-after': '65' };
  const cases: [string, number][] = [
    ['{"message":"You are being rate limited.","retry_after":64.57,"global":false}', 64.57],
    ['{"retry_after":0}', 0],
    ['{"retry_after":-1}', 65],
    ['{"retry_after":"64"}', 65],
    ['{"message":"cut of', 65],
    ['null', 65],
    ['', 65],
  ];
  const reason = { code: 'throttled', values: {} };
  for (const [body, afterSeconds] of cases) {
    const verdict = discord.judge(someAnswer({ status: 429, headers, body }));
    const expected = { outcome: 'retry', reason, wholeTarget: true, afterSeconds };
    expect({ body, verdict }).toEqual({ body, verdict: expected });
  }
  const body = '{"retry_after":1.5}';
  expect(discord.judge(someAnswer({ status: 429, body }))).toHaveProperty('afterSeconds', 1.5);
  expect(discord.judge(someAnswer({ status: 500, body }))).not.toHaveProperty('afterSeconds');
});
