/** What the generated TypeScript client does with one feature of contracts: a row of the table in docs/features.md. */
export interface FeatureCalls {
  /** Expressions of TypeScript, awaited one after the other, and what comes of them. Each operation is called. */
  readonly calls: readonly (readonly [expression: string, answer: unknown])[];
  /** Expressions that must not compile. */
  readonly wrong?: readonly string[];
  /** The credentials of the client, another than a token. */
  readonly auth?: string;
  /** What is different, in the words of the table. */
  readonly otherwise?: string;
}

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

const shownFile = { name: 'ü "1".csv', mediaType: 'text/csv', size: 3, content: 'a;b' };
const csvFile = `new File(['a;b'], 'ü "1".csv', { type: 'text/csv' })`;

/** By row. */
export const featureCalls: Readonly<Record<string, FeatureCalls>> = {
  'several files': {
    calls: [
      [`client.listSites({ query: { page: 2 } })`, { page: 2 }],
      [
        `client.addSite({ body: { name: 'Haus', owner: { name: 'Amt' } }, query: { page: 3 } })`,
        { name: 'Haus', owner: { name: 'Amt' }, page: 3 },
      ],
    ],
    wrong: [`client.addSite({ body: { name: 'Haus', owner: {} } })`],
  },
  'parameters in a path': {
    calls: [
      [`client.one({ path: { code: 'a/b ä%' } })`, { code: 'a/b ä%' }],
      [`client.latest()`, {}],
      [`client.nested({ path: { id: 7, code: 'x.json' } })`, { id: 7, code: 'x.json' }],
      [`client.list({ path: { ids: [1, 2, 3] } })`, { ids: [1, 2, 3] }],
    ],
    wrong: [`client.nested({ path: { id: 'seven', code: 'x' } })`],
  },
  'several parameters between two slashes': {
    calls: [
      [`client.range({ path: { from: 3, to: 17 } })`, { from: 3, to: 17 }],
      [`client.named({ path: { name: '3-17' } })`, { name: '3-17' }],
      [
        `client.file({ path: { major: 1, minor: 2, name: 'a b', ext: 'gz' } })`,
        { major: 1, minor: 2, name: 'a b', ext: 'gz' },
      ],
    ],
  },
  'parameters of a path, for all its operations': {
    calls: [
      [`client.common({ path: { id: 1 } })`, [{ id: 1 }, { full: true }]],
      [`client.commonPut({ path: { id: 1 }, query: { full: true } })`, [{ id: 1 }, { full: true }]],
    ],
  },
  'parameters in the query': {
    calls: [
      [`client.query({ query: { s: 'a', n: 5, b: true, f: 1.5 } })`, { s: 'a', n: 5, b: true, f: 1.5 }],
    ],
    wrong: [
      `client.query({ query: { s: 'c' } })`,
      `client.query({ query: { s: 'a', x: 1 } })`,
      `client.query()`,
    ],
  },
  'lists in the query': {
    calls: [
      [
        `client.lists({ query: { id: [1, 2], tag: ['a', 'b'], sp: ['c', 'd'], pi: ['e', 'f'] } })`,
        { id: [1, 2], tag: ['a', 'b'], sp: ['c', 'd'], pi: ['e', 'f'] },
      ],
      [`client.lists({ query: { id: [1], tag: ['ä&b'] } })`, { id: [1], tag: ['ä&b'] }],
    ],
  },
  'objects in the query': {
    calls: [
      [
        `client.deep({ query: { filter: { price: 5, tags: ['a', 'b'], open: true, size: '7&8' }, any: { a: '1', b: 2 } } })`,
        { filter: { price: 5, tags: ['a', 'b'], open: true, size: '7&8' }, any: { a: '1', b: 2 } },
      ],
      [`client.deep({ query: { closed: { a: 1 } } })`, { closed: { a: 1 } }],
      [
        `client.own({ query: { page: { limit: 5, sort: ['a', 'b'] }, range: { from: 1, to: 2 }, other: 'x' } })`,
        { page: { limit: 5, sort: ['a', 'b'] }, range: { from: 1, to: 2 }, other: 'x' },
      ],
      [`client.must({ query: { filter: { a: 1 } } })`, { filter: { a: 1 } }],
    ],
    wrong: [`client.deep({ query: { filter: { size: 'x' } } })`],
  },
  'objects in paths, headers and cookies': {
    calls: [
      [
        `client.objects({ path: { point: { x: 1, y: 2 }, size: { 'a,': 3, b: 4 } }, headers: { 'X-Range': { from: 5 }, Cookie: { view: { dark: true } } } })`,
        {
          path: { point: { x: 1, y: 2 }, size: { 'a,': 3, b: 4 } },
          header: { 'X-Range': { from: 5 } },
          cookie: { view: { dark: true } },
        },
      ],
    ],
  },
  'parameters with `content`': {
    calls: [
      [
        `client.json({ query: { where: { age: 5, in: ['a'], deep: { a: true } } }, headers: { 'X-Trace': { id: 7 } } })`,
        { query: { where: { age: 5, in: ['a'], deep: { a: true } } }, header: { 'X-Trace': { id: 7 } } },
      ],
    ],
    wrong: [`client.json({ query: { where: { age: '5' } } })`],
  },
  headers: {
    calls: [
      [
        `client.headers({ headers: { 'X-Count': 5, 'X-Tags': ['a', 'b'] } })`,
        { 'X-Count': 5, 'X-Tags': ['a', 'b'] },
      ],
    ],
    wrong: [`client.headers({ headers: { 'X-Tags': ['a'] } })`],
  },
  cookies: {
    calls: [
      [
        `client.cookies({ headers: { Cookie: { theme: 'hell', ids: [1, 2] } } })`,
        { theme: 'hell', ids: [1, 2] },
      ],
    ],
    wrong: [`client.cookies({ headers: { Cookie: { theme: 'blau' } } })`],
  },
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
  'statuses `default` and `4XX`': {
    calls: [
      [`client.statuses()`, { ok: true }],
      [`bodyOf(client.statuses({ query: { status: 404 } }))`, [404, { missing: 'x' }]],
      [`bodyOf(client.statuses({ query: { status: 409 } }))`, [409, { refused: 'x' }]],
      [`bodyOf(client.statuses({ query: { status: 502 } }))`, [502, { failed: 'x' }]],
      [`((error: types.StatusesErrors['4XX']) => error.refused)({ refused: 'x' })`, 'x'],
    ],
  },
  'forms: `application/x-www-form-urlencoded`': {
    calls: [
      [
        `client.order({ body: { site_id: 7, guests: 2, rate: -15, vip: true, name: 'Müller & Söhne', ids: [1, 2], address: { city: 'Ulm', floor: 2 } } })`,
        {
          ...{ site_id: 7, guests: 2, rate: -15, vip: true, name: 'Müller & Söhne', ids: [1, 2] },
          address: { city: 'Ulm', floor: 2 },
        },
      ],
      [`client.order({ body: { site_id: 1, note: null } })`, { site_id: 1, vip: false }],
    ],
    wrong: [`client.order({ body: { name: 'x' } })`],
    otherwise: 'works; `null` is left out',
  },
  '`encoding` of a form': {
    calls: [
      [
        `client.guests({ body: { ids: [1, 2], tags: ['a', 'b,c'], filter: { name: 'x y', beds: 2, tags: ['a', 'b'], price: { max: 1.5 } }, meta: [{ id: 1 }, { id: 2 }] } })`,
        {
          ...{ ids: [1, 2], tags: ['a', 'b,c'], meta: [{ id: 1 }, { id: 2 }] },
          filter: { name: 'x y', beds: 2, tags: ['a', 'b'], price: { max: 1.5 } },
        },
      ],
    ],
  },
  'alternatives in a form': {
    calls: [
      [`client.until({ body: { until: 5 } })`, { until: 5 }],
      [`client.until({ body: { until: 'never', x: 2 } })`, { until: 'never', x: 2 }],
    ],
    wrong: [`client.until({ body: { until: true } })`],
  },
  'forms with files: `multipart/form-data`': {
    calls: [
      [
        `client.upload({ body: { site_id: 7, name: 'Müller', ids: [1, 2], address: { city: 'Ulm' }, list: ${csvFile}, photos: [new Blob(['P'], { type: 'image/png' }), new File([], 'q')] } })`,
        {
          ...{
            site_id: 7,
            vip: false,
            name: 'Müller',
            ids: [1, 2],
            address: { city: 'Ulm' },
            list: shownFile,
          },
          photos: [
            { name: 'blob', mediaType: 'image/png', size: 1, content: 'P' },
            { name: 'q', mediaType: 'application/octet-stream', size: 0, content: '' },
          ],
        },
      ],
    ],
    wrong: [`client.upload({ body: { site_id: 7, list: 'a;b' } })`],
  },
  '`encoding` of a form with files': {
    calls: [
      [
        `client.encoded({ body: { photo: new File(['P'], 'p', { type: 'image/png' }), meta: { id: 1 }, tags: ['a', 'b'], filter: { beds: 2 }, any: '12345' } })`,
        {
          photo: { name: 'p', mediaType: 'image/png', size: 1, content: 'P' },
          ...{ meta: { id: 1 }, tags: ['a', 'b'], filter: { beds: 2 }, any: '12345' },
        },
      ],
    ],
  },
  '`links`': {
    calls: [
      [`client.addTask()`, { id: 7 }],
      [`client.task({ path: { id: 7 } })`, { id: 7 }],
    ],
    otherwise: 'left out: the operations are as without them',
  },
  '`callbacks`': {
    calls: [[`client.watch()`, { ok: true }]],
    wrong: [`((event: types.PostDoneWebhookPayload) => event)`],
    otherwise: 'left out, types too: the operation is as without them',
  },
  'responses without a body': {
    calls: [
      [`client.gone()`, undefined],
      [`client.accepted()`, undefined],
      [`client.exists()`, undefined],
      [
        `client.withResponse((one) => one.exists()).then(({ response }) => response.headers.get('X-Count'))`,
        '3',
      ],
      [`bodyOf(client.known())`, [304, '']],
    ],
    otherwise: 'no value; 304 is an `ApiError`',
  },
  'responses that are not JSON': {
    calls: [
      [`client.csv({ query: { as: 'csv' } })`, 'a;b\n1;2\n'],
      [`client.csv({ query: { as: 'pdf' } }).then((pdf) => (pdf as Blob).text())`, '%PDF'],
      [
        `client.events({ sseMaxRetryAttempts: 1 }).then(({ stream }) => stream.next())`,
        { done: false, value: 1 },
      ],
    ],
    otherwise: 'works; of several media types the type is `unknown`',
  },
  '`Accept`': {
    calls: [
      [`client.list()`, { accept: 'application/json' }],
      [`client.list({ headers: { Accept: 'text/csv' } })`, 'a;b'],
      [
        `client.list({ headers: { Accept: 'application/vnd.list+json' } })`,
        { accept: 'application/vnd.list+json' },
      ],
      [
        `errorOf(client.one({ headers: { Accept: 'text/html' } }))`,
        [406, 'not_acceptable', 'nur application/json'],
      ],
      [`client.one()`, { accept: 'application/json' }],
      [`client.any()`, { accept: 'application/json' }],
    ],
    wrong: [`client.list({ headers: { Accept: 'text/csv' } }).then((answer: string) => answer)`],
    otherwise: '`headers: { Accept }` chooses; the type is that of the first media type',
  },
  'responses of `+json` media types': {
    calls: [
      [`client.problem({ query: { as: 'plain' } })`, { plain: true }],
      [`client.problem({ query: { as: 'vendor' } })`, { vendor: 1 }],
      [`errorOf(client.problem({ query: { as: 'error' } }))`, [404, 'unknown', 'Not found']],
    ],
  },
  'request bodies of `+json` media types': {
    calls: [
      [
        `client.patchSite({ body: { name: null, id: 7 } })`,
        { type: 'application/merge-patch+json', body: { name: null, id: 7 } },
      ],
    ],
    wrong: [`client.patchSite({ body: { id: null } })`],
  },
  'several media types of a request': {
    calls: [[`client.import({ body: { id: 1 } })`, { mediaType: 'application/json', body: { id: 1 } }]],
    wrong: [`client.import({ body: [1] })`, `client.import({ body: new Blob(['a;b']) })`],
    otherwise: 'the first one of JSON, or else the first',
  },
  'request bodies that are not JSON': {
    calls: [[`client.upload({ body: new Blob(['a;b']) })`, { read: 'a;b' }]],
    otherwise: 'works; without a schema of `format: binary` the type is `unknown`',
  },
  'security: HTTP bearer and basic, keys, OAuth 2.0, OpenID Connect': {
    auth: `{ bearerAuth: 'good', key: 'good', parameter: () => 'good', session: 'good', login: async () => 'good:Paß:1' }`,
    calls: [
      [`client.bearer()`, { key: 'bearerAuth' }],
      [`client.basic()`, { key: 'login Paß' }],
      [`client.header()`, { key: 'key' }],
      [`client.query()`, { key: 'parameter' }],
      [`client.cookie()`, { key: 'session' }],
      [`client.oauth()`, { key: 'oauth loans' }],
      [`client.openid()`, { key: 'openid' }],
      [`client.both()`, { key: 'session and parameter' }],
    ],
    otherwise: 'works; OAuth 2.0 and OpenID Connect with an access token, from a function of yours',
  },
  'security that is optional, or one of several': {
    auth: `{ login: 'good:x' }`,
    calls: [
      [`client.optional()`, { key: null }],
      [`client.either()`, { key: 'login' }],
    ],
  },
  'errors as problem details: `x-problem`': {
    calls: [
      [`client.getLoan({ path: { id: 7 } })`, { id: 7 }],
      [
        `errorOf(client.getLoan({ path: { id: 1.5 } }))`,
        [400, 'https://example.org/problems/invalid_request', 'id is invalid'],
      ],
    ],
  },
  'texts of errors: `x-messages`': {
    calls: [
      [`client.getLoan({ path: { id: 7 } })`, { id: 7 }],
      [`errorOf(client.getLoan({ path: { id: 1.5 } }))`, [400, 'invalid_request', 'id ist falsch']],
    ],
  },
  '`servers` with a path and variables': {
    calls: [[`client.getLoan({ path: { id: 7 } })`, { id: 7 }]],
    otherwise: 'works, with the path in `baseUrl`',
  },
};
