import { indent, ok, operation, refused, type Feature, responsesWith415 } from './feature.js';

const form = 'application/x-www-form-urlencoded';
const asForm = (body: string, contentType = form) => ({ body, headers: { 'Content-Type': contentType } });

export const postForm = (id: string, schema: string, encoding = '', media = form): string => `/${id}:
  post:
${indent(
  operation(
    id,
    `requestBody:
  required: true
  x-max-bytes: 65536
  content:
    ${media}:
      schema:
${indent(schema, 8)}${encoding === '' ? '' : `\n      encoding:\n${indent(encoding, 8)}`}`,
    responsesWith415,
  ),
  4,
)}`;

const order = `
type: object
required: [site_id]
properties:
  site_id: { type: integer, minimum: 1, x-lenient: true, x-message: site_id fehlt }
  name: { type: string, x-trim: true, minLength: 1, x-message: name fehlt }
  guests: { type: integer, maximum: 9 }
  rate: { type: number }
  vip: { type: boolean, default: false }
  note: { type: integer, nullable: true }
  ids: { type: array, items: { type: integer } }
  address: { type: object, properties: { city: { type: string }, floor: { type: integer } } }
`;

const guests = `
type: object
additionalProperties: false
properties:
  ids: { type: array, items: { type: integer } }
  tags: { type: array, items: { type: string } }
  filter:
    type: object
    properties:
      name: { type: string }
      beds: { type: integer }
      tags: { type: array, items: { type: string } }
      price: { type: object, properties: { max: { type: number } } }
  meta: { type: array, items: { type: object, required: [id], properties: { id: { type: integer } } } }
`;

const encoding = `
ids: { style: form, explode: false }
tags: { style: pipeDelimited }
filter: { style: deepObject }
meta: { contentType: application/json }
`;

const alternatives = `
type: object
required: [until]
properties:
  until: { anyOf: [{ type: integer, minimum: 1 }, { type: string, enum: [never] }] }
additionalProperties: { type: integer }
`;

/** Bodies of HTML forms. */
export const formFeatures: readonly Feature[] = [
  {
    row: 'forms: `application/x-www-form-urlencoded`',
    paths: postForm('order', order),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        'fields get the types of their schemas',
        [
          'POST',
          '/order',
          asForm('site_id=7&guests=2&rate=-1.5e1&vip=true&name=M%C3%BCller+%26%20S%C3%B6hne&ids=1&ids=2'),
        ],
        ok({ site_id: 7, guests: 2, rate: -15, vip: true, name: 'Müller & Söhne', ids: [1, 2] }),
      ],
      [
        'with defaults; unknown ones are dropped',
        ['POST', '/order', asForm('site_id=7&colour=red&__proto__=x&constructor=y&ids=3')],
        { status: 200, text: '{"site_id":7,"vip":false,"ids":[3]}' },
      ],
      [
        'with the conversions of extension keys',
        ['POST', '/order', asForm('site_id=+7.9+&name=+Berger+')],
        ok({ site_id: 7, name: 'Berger' }),
      ],
      [
        'an object is JSON',
        ['POST', '/order', asForm('site_id=1&address=%7B%22city%22%3A%22Ulm%22%2C%22floor%22%3A2%7D')],
        ok({ site_id: 1, address: { city: 'Ulm', floor: 2 } }),
      ],
      [
        'an empty value is null where that is allowed',
        ['POST', '/order', asForm('site_id=1&note=')],
        { status: 200, text: '{"site_id":1,"vip":false,"note":null}' },
      ],
      ['a missing field has its message', ['POST', '/order', asForm('name=x')], refused('site_id fehlt')],
      ['so has an empty one', ['POST', '/order', asForm('site_id=1&name=')], refused('name fehlt')],
      ['no fields at all', ['POST', '/order', asForm('')], refused('site_id fehlt')],
      [
        'a value beyond its bounds',
        ['POST', '/order', asForm('site_id=1&guests=10')],
        refused('guests is invalid'),
      ],
      ...[
        'guests=0x1',
        'guests=%201',
        'guests=1.5',
        'guests=',
        'vip=1',
        'guests=1&guests=2',
        'address=x',
      ].map(
        (fields) =>
          [
            `${fields} has not the type of its schema`,
            ['POST', '/order', asForm(`site_id=1&${fields}`)],
            refused(`${fields.split('=')[0]} is invalid`),
          ] as const,
      ),
      ...['site_id=1&name=100%', 'site_id=1&name=%zz', 'site_id=1&%C3=x', 'site_id=1&name=%ED%A0%80'].map(
        (fields) =>
          [
            `the malformed escape of ${fields}`,
            ['POST', '/order', asForm(fields)],
            refused('The request is invalid'),
          ] as const,
      ),
      [
        'another charset gets 415',
        ['POST', '/order', asForm('site_id=1', `${form}; charset=iso-8859-1`)],
        { status: 415 },
      ],
      [
        'UTF-8 may be named',
        ['POST', '/order', asForm('site_id=1', `${form}; charset=UTF-8`)],
        { status: 200 },
      ],
      [
        'JSON is another media type',
        ['POST', '/order', { body: { site_id: 1 }, headers: { 'Content-Type': 'application/json' } }],
        { status: 415, body: { error: 'unsupported_media_type', message: `Content-Type must be ${form}` } },
      ],
      [
        '64 KiB of names',
        ['POST', '/order', asForm(`site_id=1${'&a'.repeat(32_000)}`)],
        { status: 200, text: '{"site_id":1,"vip":false}' },
      ],
      [
        '32,000 times the same name',
        ['POST', '/order', asForm(`site_id=1${'&vip'.repeat(16_000)}`)],
        refused('vip is invalid'),
      ],
      ['too large', ['POST', '/order', asForm(`site_id=1&name=${'x'.repeat(65_536)}`)], { status: 413 }],
    ],
  },
  {
    row: '`encoding` of a form',
    paths: postForm('guests', guests, encoding),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        '`explode: false` and other separators',
        ['POST', '/guests', asForm('ids=1,2&tags=a%7Cb,c')],
        ok({ ids: [1, 2], tags: ['a', 'b,c'] }),
      ],
      [
        '`deepObject`',
        [
          'POST',
          '/guests',
          asForm(
            'filter[name]=x+y&filter%5Bbeds%5D=2&filter[tags][1]=b&filter[tags][0]=a&filter[price][max]=1.5',
          ),
        ],
        ok({ filter: { name: 'x y', beds: 2, tags: ['a', 'b'], price: { max: 1.5 } } }),
      ],
      [
        '`contentType` of JSON',
        ['POST', '/guests', asForm('meta=%7B%22id%22:1%7D&meta=%7B%22id%22:2%7D')],
        ok({ meta: [{ id: 1 }, { id: 2 }] }),
      ],
      ['or a whole list', ['POST', '/guests', asForm('meta=[%7B%22id%22:1%7D]')], ok({ meta: [{ id: 1 }] })],
      ['a list with a wrong item', ['POST', '/guests', asForm('ids=1,x')], refused('ids is invalid')],
      [
        'a wrong field in an object',
        ['POST', '/guests', asForm('filter[beds]=x')],
        refused('beds is invalid'),
      ],
      ['JSON that is none', ['POST', '/guests', asForm('meta=%7B')], refused('meta is invalid')],
      [
        'names in brackets of a prototype',
        ['POST', '/guests', asForm('filter[__proto__][x]=1')],
        ok({ filter: {} }),
      ],
      ['a field that is not named', ['POST', '/guests', asForm('x=1')], { status: 400 }],
      [
        'brackets without end',
        ['POST', '/guests', asForm(`filter${'[a'.repeat(20_000)}=1`)],
        { status: 400 },
      ],
    ],
  },
  {
    row: 'alternatives in a form',
    paths: postForm('until', alternatives),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['the first that a value has the type of', ['POST', '/until', asForm('until=5')], ok({ until: 5 })],
      ['or another', ['POST', '/until', asForm('until=never&x=2')], ok({ until: 'never', x: 2 })],
      ['or none', ['POST', '/until', asForm('until=later')], { status: 400 }],
      ['a field that has to be a number', ['POST', '/until', asForm('until=5&x=y')], { status: 400 }],
    ],
  },
];
