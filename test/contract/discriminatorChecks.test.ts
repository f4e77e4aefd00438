import { describe, expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { ContractError } from '../../src/contract/source.js';
import { contract, post } from './feature.js';

/** What is said of a contract with these components, and what stands there. */
const refusalOf = (schemas: string, schema = "$ref: '#/components/schemas/Pet'"): [string, string] => {
  const text = contract(post('/pets', 'pet', schema), `schemas:\n${schemas}`);
  try {
    parseContract(text);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { line, column } = error.position;
    return [error.what, text.split('\n')[line - 1]!.slice(column - 1)];
  }
  throw new Error('it was not refused');
};

const cat = (kind: string): string =>
  `  Cat: { type: object, required: [kind], properties: { kind: ${kind} } }`;
const pet = (discriminator: string, rest = ''): string =>
  `  Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: ${discriminator}${rest} }`;
const byKind = pet('{ propertyName: kind }');

describe('a discriminator that can not choose is refused with its place', () => {
  test.each([
    [
      'without the name of its field',
      pet('{ mapping: {} }'),
      cat('{ type: string }'),
      'a discriminator needs a propertyName',
      /^discriminator/,
    ],
    [
      'with a mapping that is none',
      pet('{ propertyName: kind, mapping: [] }'),
      cat('{ type: string }'),
      'the mapping of the discriminator kind must be an object',
      /^mapping/,
    ],
    [
      'with a mapping to nothing',
      pet('{ propertyName: kind, mapping: { dog: Dog } }'),
      cat('{ type: string }'),
      'dog of the discriminator kind leads to none of its schemas',
      /^Dog/,
    ],
    [
      'of texts',
      pet('{ propertyName: kind }', ', type: string'),
      cat('{ type: string }'),
      'the discriminator kind needs objects',
      /^string/,
    ],
    [
      'without the field',
      byKind,
      '  Cat: { type: object, properties: { name: { type: string } } }',
      'Cat does not have the field kind of the discriminator',
      /^\{ \$ref|^\$ref/,
    ],
    [
      'with a field that is no text',
      byKind,
      cat('{ type: integer }'),
      'Cat: the field kind of the discriminator must be a text',
      /Cat/,
    ],
    [
      'with a field that is converted',
      byKind,
      cat('{ type: string, x-trim: true }'),
      'Cat: x-trim can not stand at the field kind of the discriminator',
      /Cat/,
    ],
    [
      'with a field that only replies have',
      byKind,
      cat('{ type: string, readOnly: true }'),
      'Cat: readOnly can not stand at the field kind of the discriminator',
      /Cat/,
    ],
    [
      'by a value that is not allowed',
      pet('{ propertyName: kind, mapping: { dog: Cat } }'),
      cat('{ type: string, enum: [cat] }'),
      'Cat is chosen by dog, which its field kind does not allow',
      /Cat/,
    ],
    [
      'without any alternative',
      '  Pet: { type: object, discriminator: { propertyName: kind }, properties: { kind: { type: string } } }',
      '',
      'the discriminator kind has no schemas to choose from',
      /^discriminator/,
    ],
  ])('%s', (_what, schema, other, what, shown) => {
    const [said, there] = refusalOf(`${schema}\n${other}`);
    expect(said).toBe(what);
    expect(there).toMatch(shown);
  });

  test('a schema without a name', () => {
    const [said, there] = refusalOf(
      '  Pet: { oneOf: [{ type: object, properties: { kind: { type: string } } }], discriminator: { propertyName: kind } }',
    );
    expect(said).toBe('oneOf[0] has no name as a value of the discriminator kind: give the field an enum');
    expect(there).toMatch(/^\{ type: object|^type/);
  });

  test('two schemas with one value', () => {
    const two =
      "  Pet: { anyOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: kind } }";
    const [said] = refusalOf(`${two}\n${cat('{ type: string }')}`);
    expect(said).toBe('Cat and Cat are both chosen by Cat of kind');
  });

  test('two for one value', () => {
    const both = "allOf: [{ $ref: '#/components/schemas/Pet' }, { $ref: '#/components/schemas/Pet' }]";
    const [said] = refusalOf(`${byKind}\n${cat('{ type: string }')}`, both);
    expect(said).toMatch(/only one discriminator may hold for a value$/);
  });

  test('what is wrong in a chosen schema is found where it stands', () => {
    const [said, there] = refusalOf(
      `${byKind}\n${cat('{ type: string }, age: { type: integer, format: colour }')}`,
    );
    expect(said).toMatch(/there is no format "colour"/);
    expect(there).toMatch(/^colour/);
  });

  test('and so it is in one that inherits', () => {
    const [said, there] =
      refusalOf(`  Pet: { type: object, discriminator: { propertyName: kind }, properties: { kind: { type: string }, born: { type: string, format: day } } }
  Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { age: { type: integer, minimum: 1 } } }] }`);
    expect(said).toMatch(/there is no format "day"/);
    expect(there).toMatch(/^day/);
  });
});
