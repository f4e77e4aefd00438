import fc from 'fast-check';

/** Characters that trimming, storing, showing or matching might get wrong. */
const oddCharacters = fc.constantFrom(
  ...['\0', ' ', '\t', '\n', '\r', '\u000b', '\u0085', '\u00a0', '\u200b', '\u2028', '\u3000', '\ufeff'],
  ...['\ud800', '\udfff', '\udbff', '😀', 'é', 'e\u0301', '\u202e', '\uffff', "'", '"', '\\', '%', '_', ';'],
  ...['a', 'Z', '0', '-', '<', '&', '{', '$'],
);

export const oddText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: oddCharacters, maxLength: 20 }),
  fc.constantFrom(
    "'; drop table vouchers; --",
    '${jndi:ldap://x}',
    '{scope}',
    '__proto__',
    '../../etc/passwd',
  ),
  fc.constantFrom('Familie Berger', ' Zimmer 12\n', '0', 'null', 'Müller-Lüdenscheidt', '\0Gast\0 \0'),
  fc.constantFrom('', ' \u00a0\ufeff ', '\0\0'),
  fc.tuple(fc.constantFrom('x', '😀', '\ud800', '\0'), fc.integer({ min: 253, max: 258 })).map(repeated),
  fc.integer({ min: 253, max: 257 }).map((count) => ` ${'ä'.repeat(count)}\n`),
);

function repeated([character, count]: [string, number]): string {
  return character.repeat(count);
}

const asJson = (value: unknown): string => JSON.stringify(value);

/** Numbers as they stand in a body, some of which no number of JavaScript can hold. */
const numberTexts = fc.oneof(
  fc.constantFrom('0', '-0', '1', '-1', '0.99', '1.99', '-0.5', '1e0', '1E+2', '15e-1', '1e400', '-1e400'),
  fc.constantFrom(
    '2147483647',
    '2147483647.9',
    '2147483648',
    '-2147483649',
    '4294967297',
    '9007199254740993',
  ),
  fc.constantFrom('18446744073709551617', '1e21', '1e308', '5e-324', `1${'0'.repeat(400)}`),
  fc.integer().map(asJson),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(asJson),
);

/** Texts that are numbers, nearly numbers, and not at all. */
export const numberLikeText = fc.oneof(
  fc.tuple(fc.constantFrom('', ' ', '\n\t', '\u00a0'), numberTexts, fc.constantFrom('', ' ')).map(joined),
  fc.constantFrom('+5', '5.', '.5', '.', '+', '-', 'e5', '1e', '1e5', '--1', '0x10', '0b1', '1_000', '1,5'),
  fc.constantFrom(
    '5mbit',
    '7.9 GB',
    '1e2x',
    '1e+',
    '+5x',
    '-5x',
    '.5x',
    '5.',
    '5.x',
    '\f5\v',
    '\u20285',
    '5\ufeff',
  ),
  fc.constantFrom('12abc', 'Infinity', '-Infinity', 'NaN', '', ' ', '１２', '٣', '1 2', '1\0', 'true', '[1]'),
  fc.integer({ min: 1, max: 5 }).map(String),
);

function joined(parts: readonly string[]): string {
  return parts.join('');
}

const structures = fc.oneof(
  fc.constantFrom('null', '[]', '{}', '[1]', '{"valueOf":1}', '{"__proto__":{"length":1}}', '[[[[1]]]]'),
  fc.json(),
);

/** A value for a field that wants an integer. */
export const integerField = fc.oneof(
  { weight: 4, arbitrary: numberTexts },
  { weight: 3, arbitrary: numberLikeText.map(asJson) },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false') },
  { weight: 1, arbitrary: structures },
);

/** A value for a field that wants a text. */
export const textField = fc.oneof(
  { weight: 8, arbitrary: oddText.map(asJson) },
  { weight: 1, arbitrary: numberTexts.filter((text) => Number.isFinite(Number(text))) },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false') },
  { weight: 1, arbitrary: structures },
);

/** The fields of an object as JSON text: any order, some missing, some twice, some that nobody knows. */
export const objectOf = (fields: Record<string, fc.Arbitrary<string>>, missing = 8): fc.Arbitrary<string> => {
  const known = Object.entries(fields).map(([name, value]) =>
    fc.option(value, { freq: missing, nil: undefined }).map((text) => ({ name, text })),
  );
  const odd = fc
    .tuple(
      fc.oneof(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', ''), oddText),
      structures,
    )
    .map(([name, text]) => ({ name, text }));
  const again = Object.entries(fields).map(([name, value]) => value.map((text) => ({ name, text })));
  return fc
    .tuple(
      fc.tuple(...known),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        fc.array(fc.oneof(odd, ...again), { maxLength: 4 }),
      ),
    )
    .chain(([some, more]) =>
      fc.shuffledSubarray([...some, ...more], { minLength: some.length + more.length }),
    )
    .map((entries) =>
      entries.flatMap(({ name, text }) => (text === undefined ? [] : `${asJson(name)}:${text}`)),
    )
    .map((entries) => `{${entries.join(',')}}`);
};
