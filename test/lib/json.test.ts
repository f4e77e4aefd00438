import { expect, test } from '@jest/globals';
import { numberTextAt, parseJsonBody } from '../../src/lib/json.js';

test.each([
  '{}',
  '[1.0,{"a":[1e400,-0]}]',
  '{"a":1,"a":{"b":2.50}}',
  '{"__proto__":{"a":1.0},"a":"\\"1.0\\\\"}',
  ' 1.0 ',
  '"1.0"',
  '{"":1.0,"\\u0061":"x"}',
])('%s is parsed as JSON.parse does it', (text) => {
  expect(parseJsonBody(text)).toEqual(JSON.parse(text));
});

test.each(['', '{', '{"a":01}', '{"a":1.}', '[1.0'])('%j is refused as JSON.parse does it', (text) => {
  expect(() => parseJsonBody(text)).toThrow(SyntaxError);
});

test('numbers are told as they were sent, of equal names the last', () => {
  const parsed = parseJsonBody('{"a":{"b":1.0,"c":"1.0"},"a":{"b":2.0},"l":[7,1e2],"n":5}') as {
    a: object;
    l: object;
  };
  expect(numberTextAt(parsed.a, 'b')).toBe('2.0');
  expect(numberTextAt(parsed.a, 'c')).toBeUndefined();
  expect(numberTextAt(parsed.l, 1)).toBe('1e2');
  expect(numberTextAt(parsed, 'n')).toBe('5');
  expect(numberTextAt(parsed, 'a')).toBeUndefined();
  expect(numberTextAt({ made: 1 }, 'made')).toBe('1');
});

test('a body that is nested as deep as it can be, or is one long number or text, is parsed', () => {
  const size = 64 * 1024;
  expect(() => parseJsonBody(`${'['.repeat(size / 2 - 2)}1.0${']'.repeat(size / 2 - 2)}`)).not.toThrow();
  const long = parseJsonBody(`{"a":${'9'.repeat(size)},"b":"${'\\"1.0'.repeat(size / 5)}"}`) as object;
  expect(numberTextAt(long, 'a')).toHaveLength(size);
});
