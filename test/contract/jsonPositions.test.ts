import { expect, test } from '@jest/globals';
import { readSource } from '../../src/contract/source.js';

const written = {
  openapi: '3.0.3',
  servers: [{ url: 'https://api.example.org/"1"' }],
  paths: {
    '/a"b\\{x}': {
      get: { parameters: [{ $ref: '#/components/parameters/one' }, { name: 'two', schema: [] }] },
    },
    '/größer 👋': { get: { deprecated: true, responses: {}, 'x-list': [1, [2, { deep: null }], 'drei'] } },
  },
  components: {
    parameters: {
      one: { $ref: '#/components/parameters/real' },
      real: { name: 'one', schema: { type: 'string' } },
    },
    loop: { $ref: '#/components/loop' },
  },
};

/** Every path of a value. */
const pathsOf = (value: unknown): (string | number)[][] => {
  if (typeof value !== 'object' || value === null) return [[]];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = (name: string | number): unknown => (value as Record<string | number, unknown>)[name];
  return [[], ...names.flatMap((name) => pathsOf(inner(name)).map((path) => [name, ...path]))];
};

const references = [
  ['paths', '/a"b\\{x}', 'get', 'parameters', 0, 'schema', 'type'],
  ['components', 'parameters', 'one', 'name'],
  ['components', 'loop', 'more'],
  ['paths', '/missing', 'get'],
  ['paths', '/größer 👋', 'get', 'x-list', 7],
];

test.each([
  ['on one line', JSON.stringify(written)],
  ['on many lines', JSON.stringify(written, null, 2)],
  [
    'with tabs and Windows line ends',
    `\n  ${JSON.stringify(written, null, '\t').replaceAll('\n', '\r\n')}\n`,
  ],
])('every value of JSON %s stands where the same text read as YAML has it', (_, json) => {
  const source = readSource(json, 'a.json');
  // A comment makes it a text that only YAML can read.
  const asYaml = readSource(`${json}\n# YAML`, 'a.json');
  for (const path of [...pathsOf(written), ...references])
    expect([path, source.at(path)]).toEqual([path, asYaml.at(path)]);
  expect(source.serverUrl()).toEqual(asYaml.serverUrl());
  expect(source.mergeKeys()).toEqual([]);
});
