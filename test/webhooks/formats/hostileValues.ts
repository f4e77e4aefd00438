import fc from 'fast-check';

/** What one platform or another takes for markup. */
const markups = [
  '<!channel>',
  '<!here>',
  '<@U024BE7LH>',
  '<@123456789>',
  '<@&123>',
  '<#123>',
  '<users/all>',
  '<at>Everyone</at>',
  '@everyone',
  '@channel',
  '@here',
  '@all',
  '*bold*',
  '**bold**',
  '_italic_',
  '__under__',
  '~strike~',
  '~~strike~~',
  '~town-square',
  '||spoiler||',
  'a|b|c',
  '`code`',
  '``code``',
  '```code```',
  'a ` b `` c ``` d ```` e',
  '`',
  '``',
  'ends with a backtick`',
  'ends with a backslash\\',
  '\\*',
  '[link](https://x)',
  '![image](https://x/y.png)',
  'https://example.org/?a=b&c=d',
  'www.example.org',
  '<https://x>',
  '<https://x|y>',
  'discord.gg/abc',
  '&amp;',
  '&lt;!channel&gt;',
  '&#64;channel',
  '&',
  'a < b > c',
  ':smile:',
  '<:emoji:123>',
  '<t:1618953630:R>',
  '😀👩‍👩‍👧‍👦🇩🇪',
  '# heading',
  '> quote',
  '- list',
  '-# small',
  '1. list',
  '#hashtag',
  '$x^2$',
  '<b>bold</b>',
  '<script>alert(1)</script>',
  '<a href="https://x">y</a>',
  'O\'Neill & "Sons"',
  '¯\\_(ツ)_/¯',
  '{{DATE(2017-02-14T06:00:00Z, SHORT)}}',
  '{{TIME(2017-02-14T06:00:00Z)}}',
  '${secret} @{triggerBody()} {0} %s',
] as const;

const turning = [
  'שלום',
  'سلام',
  '\ufb1d',
  '\ufdf2',
  '\ufe70',
  '\u0710',
  '\u07ca',
  '\u{1e900}',
  '\u200f',
  '\u200e',
  '\u061c',
  '\u202edrow',
  '\u202b',
  '\u202c',
  '\u2067',
  '\u2069',
];

const breaking = ['\n', '\r\n', '\t', '\u0000', '\u001b[31m', '\u0085', '\u2028', '\u2029'];

/** No name is longer. */
export const maxLength = 255;

const cutToName = (text: string): string => Array.from(text).slice(0, maxLength).join('');

/** Values that people could give to a site or a key. */
export const hostileValues: readonly string[] = [
  ...markups,
  cutToName(markups.join(' ')),
  cutToName(markups.toReversed().join('')),
  ...turning.map((piece) => `a${piece}b`),
  `\u2069\u202e${turning.join('')}\u2069\u2069end`,
  ...breaking.map((piece) => `a${piece}b`),
  'a\n```\n@channel\n```\n# b',
  'half an emoji \ud83d',
];

const pieces = [
  ...markups,
  ...turning,
  ...breaking,
  ...Array.from('<>|!@#&*_~`\\[](){}:;./-$ aZ9'),
  '``',
  '```',
];

/** Any mixture of the markups and of what they are made of. */
export const mixtures: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
  .map((parts) => cutToName(parts.join('')));

/** What a reader must see of a value: itself, on one line, and what turns text around contained. */
export const seenAs = (value: string): string => {
  const seen = Array.from(value.replaceAll('\r\n', '\n'), (character) => {
    const code = character.codePointAt(0)!;
    if (code >= 0x2066 && code <= 0x2069) return '';
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0x2028 || code === 0x2029) return ' ';
    return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : character;
  }).join('');
  const turns =
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Adlam}\p{Bidi_Control}]/u.test(
      value,
    );
  return turns ? `\u2068${seen}\u2069` : seen;
};
