import type { FeatureCalls } from './featureCall.js';

const shownFile = { name: 'ü "1".csv', mediaType: 'text/csv', size: 3, content: 'a;b' };
const csvFile = `new File(['a;b'], 'ü "1".csv', { type: 'text/csv' })`;

/** Of bodies, statuses, media types, security and errors. */
export const exchangeCalls: Readonly<Record<string, FeatureCalls>> = {
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
