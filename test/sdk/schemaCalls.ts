import type { FeatureCalls } from './featureCall.js';

const card = `{ kind: 'card', number: '123' }`;

/** A choice among schemas by a field, in both versions of OpenAPI. */
const chosen: FeatureCalls = {
  calls: [
    [`client.one({ body: ${card} })`, { kind: 'card', number: '123' }],
    [`client.one({ body: { kind: 'cash', number: 5 } })`, { kind: 'cash', number: 5, currency: 'EUR' }],
    [`client.any({ body: { kind: 'cash', number: 5 } })`, { kind: 'cash', number: 5, currency: 'EUR' }],
    [`client.listed({ body: { all: [${card}] } })`, { all: [{ kind: 'card', number: '123' }] }],
    [`client.named({ body: { kind: 'gift' } })`, { kind: 'gift' }],
    [
      `client.tree({ body: { type: 'branch', parts: [{ type: 'leaf', size: 3 }] } })`,
      { type: 'branch', parts: [{ type: 'leaf', size: 3 }] },
    ],
  ],
  wrong: [
    `client.one({ body: { kind: 'card', number: 5 } })`,
    `client.one({ body: { kind: 'cheque', number: 5 } })`,
    `client.tree({ body: { type: 'branch', parts: [{ type: 'twig' }] } })`,
  ],
};

const inherited: FeatureCalls = {
  calls: [
    [`client.animal({ body: { kind: 'cat', name: 'Mia' } })`, { kind: 'cat', name: 'Mia', lives: 9 }],
    [`client.dog({ body: { kind: 'Dog', name: 'Rex', size: 3 } })`, { kind: 'Dog', name: 'Rex', size: 3 }],
  ],
};

const comments = (method: string): FeatureCalls => ({
  calls: [
    [
      `client.${method}({ body: { text: 'a', replies: [{ text: 'b', parent: { text: 'c' } }] } })`,
      { text: 'a', replies: [{ text: 'b', parent: { text: 'c' } }] },
    ],
  ],
  wrong: [`client.${method}({ body: { text: 'a', replies: [{ text: 5 }] } })`],
});

const directions: FeatureCalls = {
  calls: [
    [`client.createUser({ body: { name: 'A', password: 'x' } })`, { id: 7, name: 'A' }],
    [
      `client.createExtended({ body: { name: 'A', password: 'x', note: 'n' } })`,
      { id: 7, name: 'A', note: 'n' },
    ],
  ],
  wrong: [
    `client.createUser({ body: { id: 1, name: 'A', password: 'x' } })`,
    `client.createUser({ body: { name: 'A', password: 'x' } }).then((user) => user.password)`,
  ],
};

/** Of schemas, and of what a contract says beside its operations. */
export const schemaCalls: Readonly<Record<string, FeatureCalls>> = {
  '`allOf`, `oneOf`, `anyOf`, `not` and `$ref`': {
    calls: [
      [
        `client.composed({ body: { name: 'a', size: 5, either: 'x1', any: ['b'] } })`,
        { name: 'a', size: 5, either: 'x1', any: ['b'] },
      ],
    ],
    wrong: [
      `client.composed({ body: { size: 5 } })`,
      `client.composed({ body: { name: 'a', size: 5, either: true } })`,
    ],
    otherwise: 'works; the type of `not` is `unknown`',
  },
  '`additionalProperties`': {
    calls: [
      [`client.closed({ body: { a: 'x' } })`, { a: 'x' }],
      [`client.open({ body: { a: 'x', b: [1] } })`, { a: 'x', b: [1] }],
      [`client.typed({ body: { a: 'x', b: 7 } })`, { a: 'x', b: 7 }],
      [`client.unsaid({ body: { a: 'x' } })`, { a: 'x' }],
    ],
    wrong: [
      `client.closed({ body: { a: 'x', b: 1 } })`,
      `client.unsaid({ body: { a: 'x', b: 1 } })`,
      `client.typed({ body: { b: true } })`,
    ],
  },
  '`nullable`': {
    calls: [[`client.nullable({ body: { a: null, b: 1 } })`, { a: null, b: 1 }]],
    wrong: [`client.nullable({ body: { b: null } })`],
  },
  '`format`': {
    calls: [
      [
        `client.formats({ body: { mail: 'a@example.org', day: '2026-11-15', small: 5 } })`,
        { mail: 'a@example.org', day: '2026-11-15', small: 5 },
      ],
      [
        `errorOf(client.formats({ body: { day: '2026-02-30' } }))`,
        [400, 'invalid_request', 'day is invalid'],
      ],
    ],
    otherwise: 'strings and numbers; formats, like bounds and patterns, are left to the service',
  },
  '`exclusiveMinimum`, `exclusiveMaximum`': {
    calls: [
      [
        `client.exclusiveBounds({ body: { part: 0.5, whole: 0, above: 1 } })`,
        { part: 0.5, whole: 0, above: 1 },
      ],
      [`errorOf(client.exclusiveBounds({ body: { above: 0 } }))`, [400, 'invalid_request', 'mehr als 0']],
    ],
    otherwise: 'numbers; bounds are left to the service',
  },
  'lists in bodies': {
    calls: [
      [
        `client.bodyLists({ body: { rows: [{ n: 5 }, { 'a/b~c': 'x' }] } })`,
        { rows: [{ n: 5 }, { 'a/b~c': 'x' }] },
      ],
    ],
    wrong: [`client.bodyLists({ body: { rows: [{ n: 'x' }] } })`],
  },
  '`readOnly`, `writeOnly`': directions,
  '`discriminator` beside `oneOf` or `anyOf`': chosen,
  '`discriminator` of a component that others have in their `allOf`': inherited,
  'recursive schemas': comments('comment'),
  'OpenAPI 3.1: `type` lists, `const`, `true` and `false` as schemas': {
    calls: [
      [
        `client.types31({ body: { name: null, count: 5, mixed: 'a', kind: 'site', nothing: null } })`,
        { name: null, count: 5, mixed: 'a', kind: 'site', nothing: null },
      ],
    ],
    wrong: [
      `client.types31({ body: { kind: 'user' } })`,
      `client.types31({ body: { mixed: true } })`,
      `client.types31({ body: { none: 1 } })`,
      `client.types31({ body: { any: 1 } })`,
    ],
    otherwise: 'works; a field with `true` as its schema is not in the type',
  },
  'OpenAPI 3.1: `exclusiveMinimum` and `exclusiveMaximum`': {
    calls: [
      [`client.bounds31({ body: { part: 0.5, above: 1 } })`, { part: 0.5, above: 1 }],
      [`errorOf(client.bounds31({ body: { above: 0 } }))`, [400, 'invalid_request', 'mehr als 0']],
    ],
    otherwise: 'numbers; bounds are left to the service',
  },
  'OpenAPI 3.1: `prefixItems`, `contains`, `unevaluatedItems`': {
    calls: [
      [
        `client.lists31({ body: { pair: ['a', 1], rest: ['b', 2, 3], some: ['a'], closed: ['c'] } })`,
        { pair: ['a', 1], rest: ['b', 2, 3], some: ['a'], closed: ['c'] },
      ],
      [`errorOf(client.lists31({ body: { some: ['b'] } }))`, [400, 'invalid_request', 'some is invalid']],
    ],
    wrong: [`client.lists31({ body: { pair: [1, 'a'] } })`],
    otherwise: 'tuples and lists; `contains` and `unevaluatedItems` are left to the service',
  },
  'OpenAPI 3.1: `if`, `then`, `else`, `dependentRequired`, `dependentSchemas`': {
    calls: [
      [`client.conditions31({ body: { kind: 'house', street: 'a' } })`, { kind: 'house', street: 'a' }],
      [
        `errorOf(client.conditions31({ body: { kind: 'house' } }))`,
        [400, 'invalid_request', 'Welche Straße?'],
      ],
    ],
    wrong: [`client.conditions31({ body: { kind: 'flat', floor: 2 } })`],
    otherwise: 'left to the service; fields that are named only there are not in the types',
  },
  'OpenAPI 3.1: `patternProperties`, `propertyNames`, `unevaluatedProperties`': {
    calls: [
      [`client.patterns31({ body: { a: 'x', n_1: 1 } })`, { a: 'x', n_1: 1 }],
      [`client.names31({ body: { abc: 1 } })`, { abc: 1 }],
      [`errorOf(client.names31({ body: { ABC: 1 } }))`, [400, 'invalid_request', 'The request is invalid']],
      [`client.closed31({ body: { name: 'a', size: 1 } })`, { name: 'a', size: 1 }],
    ],
    wrong: [
      `client.patterns31({ body: { n_1: true } })`,
      `client.closed31({ body: { name: 'a', other: 1 } })`,
    ],
    otherwise: 'types of the values; names are left to the service',
  },
  'OpenAPI 3.1: `$defs`, and keywords beside a `$ref`': {
    calls: [[`client.definitions31({ body: { code: 'ab', inner: 1 } })`, { code: 'ab', inner: 1 }]],
    wrong: [`client.definitions31({ body: { inner: 'x' } })`],
  },
  'OpenAPI 3.1: `readOnly`, `writeOnly`': directions,
  'OpenAPI 3.1: `discriminator` beside `oneOf` or `anyOf`': chosen,
  'OpenAPI 3.1: `discriminator` of a component that others have in their `allOf`': inherited,
  'OpenAPI 3.1: recursive schemas': comments('comment31'),
  'OpenAPI 3.1: `webhooks`': {
    calls: [
      [`client.list()`, { ok: true }],
      [`((event: types.PostDoneWebhookPayload): number => event.id)({ id: 7, note: 'x' })`, 7],
    ],
    wrong: [`((event: types.PostDoneWebhookPayload): number => event.id)({ note: 'x' })`],
    otherwise: 'a type for what is sent',
  },
};
