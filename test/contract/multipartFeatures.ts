import { buffer } from 'node:stream/consumers';
import type { UploadedFile } from '../../src/contract/bodies/uploadedFile.js';
import { ok, refused, type Feature, type HandlerRequest } from './feature.js';
import { postForm } from './formFeatures.js';

const media = 'multipart/form-data';
const boundary = '----b7';

/** A part as it is sent; the headers after its `Content-Disposition` and the name are up to the case. */
const part = (disposition: string, content: string, ...headers: string[]): string =>
  [`Content-Disposition: form-data; ${disposition}`, ...headers, '', content].join('\r\n');
const field = (name: string, value: string): string => part(`name="${name}"`, value);
const file = (name: string, fileName: string, content: string, type = 'text/csv'): string =>
  part(`name="${name}"; filename="${fileName}"`, content, `Content-Type: ${type}`);

const joined = (parts: readonly string[], end = `--${boundary}--\r\n`): string =>
  parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('') + end;
const raw = (body: string | Buffer, contentType = `${media}; boundary=${boundary}`) => ({
  body: Buffer.from(body),
  headers: { 'Content-Type': contentType },
});
const form = (...parts: string[]) => raw(joined(parts));

const upload = `
type: object
required: [site_id, list]
properties:
  site_id: { type: integer, minimum: 1, x-lenient: true, x-message: site_id fehlt }
  name: { type: string, x-trim: true, minLength: 1, x-message: name fehlt }
  guests: { type: integer, maximum: 9 }
  vip: { type: boolean, default: false }
  ids: { type: array, items: { type: integer } }
  address: { type: object, properties: { city: { type: string }, floor: { type: integer } } }
  list: { type: string, format: binary, minLength: 1, maxLength: 60000, x-message: list fehlt }
  photos: { type: array, maxItems: 3, items: { type: string, format: binary } }
`;

const encoded = `
type: object
additionalProperties: false
properties:
  photo: { type: string, format: binary, x-message: photo ist kein Bild }
  scan: { type: string, format: binary }
  meta: { type: object, required: [id], properties: { id: { type: integer } } }
  tags: { type: array, items: { type: string } }
  names: { type: array, items: { type: string } }
  code: { type: string }
  count: { type: integer }
  scans: { type: array, items: { type: string, format: binary } }
  filter: { type: object, properties: { beds: { type: integer } } }
  any: { oneOf: [{ type: string, format: binary }, { type: string, maxLength: 5 }] }
`;

const encoding = `
photo: { contentType: 'image/png, image/jpeg' }
scan: { contentType: 'image/*' }
meta: { contentType: application/json }
names: { contentType: application/json }
code: { contentType: application/json }
scans: { contentType: image/png }
tags: { style: form, explode: false }
filter: { style: deepObject }
`;

/** Files with what is in them. */
const shown = async (value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  if (!isFile(value)) return value;
  const content = await buffer(value.stream());
  const { name, mediaType, size } = value;
  return { name, mediaType, size, content: content.toString('latin1').slice(0, 20) };
};

const isFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'stream' in value;

const handler = async ({ input, reply }: HandlerRequest): Promise<unknown> => {
  const fields = Object.entries(input['body'] as Record<string, unknown>);
  const values = await Promise.all(fields.map(async ([name, value]) => [name, await shown(value)] as const));
  return reply(200, Object.fromEntries(values));
};

const csv = file('list', 'a.csv', 'a;b\r\n1;2');
const csvShown = { name: 'a.csv', mediaType: 'text/csv', size: 8, content: 'a;b\r\n1;2' };
const post = (id: string, options: ReturnType<typeof raw>) => ['POST', `/${id}`, options] as const;
const sent = (...parts: string[]) => post('upload', form(field('site_id', '7'), ...parts));
const body = (fields: object) => ok({ site_id: 7, vip: false, list: csvShown, ...fields });
const malformed = refused('The body is incomplete, or is not multipart/form-data');
const noBoundary = refused('Content-Type has no boundary, or no valid one');
const named = (disposition: string, shownName: string) =>
  [
    `a file called ${disposition.slice(0, 40)}`,
    sent(part(`name="list"; ${disposition}`, 'x', 'Content-Type: text/csv')),
    body({ list: { name: shownName, mediaType: 'text/csv', size: 1, content: 'x' } }),
  ] as const;

/** Forms with files. */
export const multipartFeatures: readonly Feature[] = [
  {
    row: 'forms with files: `multipart/form-data`',
    paths: postForm('upload', upload, '', media),
    handler,
    cases: [
      ['a file', sent(csv), body({})],
      [
        'fields get the types of their schemas',
        sent(csv, field('guests', '2'), field('vip', 'true'), field('ids', '1'), field('ids', '2')),
        body({ guests: 2, vip: true, ids: [1, 2] }),
      ],
      ['trimmed by its extension key', sent(csv, field('name', ' Müller ')), body({ name: 'Müller' })],
      ['unknown ones are dropped', sent(csv, field('x', '1'), field('__proto__', '1')), body({})],
      [
        'an object is JSON',
        sent(csv, field('address', '{"city":"Ulm"}')),
        body({ address: { city: 'Ulm' } }),
      ],
      [
        'so is a part that says so',
        sent(csv, part('name="guests"; filename="blob"', '3', 'Content-Type: application/json')),
        body({ guests: 3 }),
      ],
      [
        'a list of files, one without a media type and one empty',
        sent(csv, part('name="photos"; filename="p"', 'P'), file('photos', 'q', '', 'image/png')),
        body({
          photos: [
            { name: 'p', mediaType: 'application/octet-stream', size: 1, content: 'P' },
            { name: 'q', mediaType: 'image/png', size: 0, content: '' },
          ],
        }),
      ],
      [
        'any bytes, also some like the boundary',
        post(
          'upload',
          raw(
            Buffer.concat([
              Buffer.from(joined([field('site_id', '7')], `--${boundary}\r\n`)),
              Buffer.from(part('name="list"', '', 'Content-Type: image/png')),
              Buffer.from([0, 255, 13, 10, 45, 45, 45, 45, 45, 13, 10, 13, 10]),
              Buffer.from(`\r\n--${boundary}--`),
            ]),
          ),
        ),
        body({ list: { name: '', mediaType: 'image/png', size: 13, content: '\0\u00FF\r\n-----\r\n\r\n' } }),
      ],
      [
        'what stands before the first part and after the last',
        post('upload', raw(`hello\r\n${joined([field('site_id', '7'), csv])}bye`)),
        body({}),
      ],
      [
        'a boundary in quotes, with blanks after it',
        post(
          'upload',
          raw(
            joined([field('site_id', '7'), csv]).replaceAll(`--${boundary}\r\n`, `--${boundary} \t\r\n`),
            `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"`,
          ),
        ),
        body({}),
      ],
      named('filename="%22a%0D%0Ab%22.csv"', '"ab".csv'),
      named('filename="\\"a\\".csv"', '"a".csv'),
      named('filename="Übersicht 日本.csv"', 'Übersicht 日本.csv'),
      named('filename="a\u202Egpj.exe"', 'agpj.exe'),
      named('filename="C:\\dir\\a.csv"', 'a.csv'),
      named('filename="../../etc/passwd"', 'passwd'),
      named('filename="a/.."', ''),
      named('filename=a.csv', 'a.csv'),
      named(`filename="x"; filename*=UTF-8''%C3%9C.csv`, 'Ü.csv'),
      named(`filename="${'a'.repeat(4_000)}"`, 'a'.repeat(4_000)),
      ['a missing file has its message', sent(), refused('list fehlt')],
      ['so has a field in which none was chosen', sent(file('list', '', '')), refused('list fehlt')],
      ['so has an empty one', sent(file('list', 'a', '')), refused('list fehlt')],
      ['so has one that is too large', sent(file('list', 'a', 'x'.repeat(60_001))), refused('list fehlt')],
      ['a missing field', post('upload', form(csv)), refused('site_id fehlt')],
      ['a field with a wrong value', sent(csv, field('guests', '10')), refused('guests is invalid')],
      [
        'more files than there may be',
        sent(csv, ...'1234'.split('').map((one) => file('photos', one, ''))),
        refused('photos is invalid'),
      ],
      ['two files where one is meant', sent(csv, csv), refused('list fehlt')],
      [
        'two values where one is meant',
        sent(csv, field('guests', '1'), field('guests', '1')),
        refused('guests is invalid'),
      ],
      [
        'a part that is said to be JSON and is not',
        sent(csv, part('name="guests"', '{', 'Content-Type: application/json')),
        refused('guests is invalid'),
      ],
      [
        'a text in another charset',
        sent(csv, part('name="name"', 'x', 'Content-Type: text/plain; charset=utf-16')),
        refused('name fehlt'),
      ],
      [
        'a text that is no UTF-8',
        post(
          'upload',
          raw(
            Buffer.concat([
              Buffer.from(joined([csv, part('name="name"', '')], '').slice(0, -2)),
              Buffer.from([0xff]),
              Buffer.from(`\r\n--${boundary}--`),
            ]),
          ),
        ),
        refused('name fehlt'),
      ],
      ['no fields at all', post('upload', raw(`--${boundary}--\r\n`)), refused('site_id fehlt')],
      ['an empty body', post('upload', raw('')), malformed],
      ['no closing boundary', post('upload', raw(joined([field('site_id', '7'), csv], ''))), malformed],
      [
        'a part cut off',
        post('upload', raw(joined([field('site_id', '7')], `--${boundary}\r\nContent-Disp`))),
        malformed,
      ],
      ['another boundary', post('upload', raw(joined([csv]), `${media}; boundary=other`)), malformed],
      [
        'a delimiter among the headers of a part',
        post(
          'upload',
          raw(
            joined([field('site_id', '7'), part('name="list"\r\n--a:b', 'x')]).replaceAll(boundary, 'a:b'),
            `${media}; boundary="a:b"`,
          ),
        ),
        malformed,
      ],
      ['a boundary that goes on', post('upload', raw(joined([csv]), `${media}; boundary=----b`)), malformed],
      ['JSON', post('upload', raw('{"site_id":7}')), malformed],
      ['no boundary', post('upload', raw(joined([csv]), media)), noBoundary],
      ['two boundaries', post('upload', raw(joined([csv]), `${media}; boundary=a; boundary=a`)), noBoundary],
      [
        'a boundary that is too long',
        post('upload', raw(joined([csv]), `${media}; boundary=${'b'.repeat(71)}`)),
        noBoundary,
      ],
      ['a part without a name', sent(csv, part('filename="x"', 'x')), malformed],
      ['a part with two names', sent(csv, part('name="x"; name="vip"', 'x')), malformed],
      [
        'a part that is no form field',
        sent(csv, 'Content-Disposition: attachment; name="x"\r\n\r\nx'),
        malformed,
      ],
      ['a part without headers', sent(csv, '\r\nx'), malformed],
      ['a line in a header that is none', sent(csv, part('name="x"', 'x', 'hello')), malformed],
      [
        'two media types of a part',
        sent(csv, part('name="x"', 'x', 'Content-Type: a/b', 'Content-Type: a/b')),
        malformed,
      ],
      ['a line end in a file name', sent(part('name="list"; filename="a\nb"', 'x')), malformed],
      [
        'a part in Base64',
        sent(csv, part('name="x"', 'eA==', 'Content-Transfer-Encoding: base64')),
        malformed,
      ],
      ['a file name in another charset', sent(part(`name="list"; filename*=latin1''x`, 'x')), malformed],
      [
        '40 KiB of headers in a part',
        sent(csv, part(`name="${'x'.repeat(40_000)}"`, 'x')),
        refused('The headers of a part are larger than 8 KiB'),
      ],
      [
        '1,100 parts',
        sent(csv, ...Array.from({ length: 1_100 }, () => part('name=x', ''))),
        refused('The body has more than 1000 parts'),
      ],
      [
        'JSON is another media type',
        post('upload', raw('{}', 'application/json')),
        { status: 415, body: { error: 'unsupported_media_type', message: `Content-Type must be ${media}` } },
      ],
      [
        'another charset gets 415',
        post('upload', raw(joined([csv]), `${media}; boundary=${boundary}; charset=latin1`)),
        { status: 415 },
      ],
      ['too large', sent(file('list', 'a', 'x'.repeat(65_536))), { status: 413 }],
    ],
  },
  {
    row: '`encoding` of a form with files',
    paths: postForm('encoded', encoded, encoding, media),
    handler,
    cases: [
      [
        'one of several media types',
        post('encoded', form(file('photo', 'p', 'P', 'image/jpeg'))),
        ok({ photo: { name: 'p', mediaType: 'image/jpeg', size: 1, content: 'P' } }),
      ],
      [
        'or of a range',
        post('encoded', form(file('scan', 's', 'S', 'IMAGE/tiff; q=1'))),
        ok({ scan: { name: 's', mediaType: 'image/tiff', size: 1, content: 'S' } }),
      ],
      [
        'another one',
        post('encoded', form(file('photo', 'p', 'P', 'image/svg+xml'))),
        refused('photo ist kein Bild'),
      ],
      [
        'none at all',
        post('encoded', form(part('name="scan"; filename="s"', 'S'))),
        refused('scan is invalid'),
      ],
      [
        'JSON, whether the part says so or not',
        post('encoded', form(field('meta', '{"id":1}'))),
        ok({ meta: { id: 1 } }),
      ],
      [
        'a list of JSON',
        post('encoded', form(part('name="names"', '["a","2"]', 'Content-Type: application/json'))),
        ok({ names: ['a', '2'] }),
      ],
      [
        'a list of JSON that does not say so',
        post('encoded', form(field('names', '["a","2"]'))),
        ok({ names: ['a', '2'] }),
      ],
      [
        'a text in JSON, even one that looks like a number',
        post('encoded', form(part('name="code"', '"815"', 'Content-Type: application/json'))),
        ok({ code: '815' }),
      ],
      [
        'a text in JSON is no number',
        post('encoded', form(part('name="count"', '"3"', 'Content-Type: application/json'))),
        refused('count is invalid'),
      ],
      [
        'a list of files of one media type',
        post('encoded', form(file('scans', 'a', 'A', 'image/png'), file('scans', 'b', 'B', 'image/gif'))),
        refused('scans is invalid'),
      ],
      [
        'a field of JSON that is wrong',
        post('encoded', form(part('name="meta"', '{"id":"x"}', 'Content-Type: application/json'))),
        refused('id is invalid'),
      ],
      [
        'JSON of another media type',
        post('encoded', form(part('name="meta"', '{"id":1}', 'Content-Type: text/plain'))),
        refused('meta is invalid'),
      ],
      [
        'lists and objects as in the query',
        post('encoded', form(field('tags', 'a,b'), field('filter[beds]', '2'))),
        ok({ tags: ['a', 'b'], filter: { beds: 2 } }),
      ],
      [
        'a file or a text: a file',
        post('encoded', form(file('any', 'a', '123456'))),
        ok({ any: { name: 'a', mediaType: 'text/csv', size: 6, content: '123456' } }),
      ],
      ['a file or a text: a text', post('encoded', form(field('any', '12345'))), ok({ any: '12345' })],
      ['a file or a text: neither', post('encoded', form(field('any', '123456'))), { status: 400 }],
      ['a field that is not named', post('encoded', form(field('x', '1'))), { status: 400 }],
      ['a file that is not named', post('encoded', form(file('x', '1', '1'))), { status: 400 }],
    ],
  },
];
