import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startInForeground, type ForegroundCommand } from '../support/foreground.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send } from '../support/service.js';

/** Media types of fields that we neither read nor write, in the ways that contracts have. */
const contract = `openapi: 3.0.3
info: { title: t, version: '1' }
paths:
  /upload:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                foo: { type: string, format: binary }
                image: { type: string, format: binary }
                either: { type: string, format: binary }
                several: { type: string, format: binary }
                any: { type: string, format: binary }
                none: { type: string, format: binary }
                number: { type: integer }
                order: { $ref: '#/components/schemas/Order' }
                orders: { type: array, items: { $ref: '#/components/schemas/Order' } }
                json: { $ref: '#/components/schemas/Order' }
            encoding:
              foo: { contentType: application/x-foo, headers: { X-A: { schema: { type: string } } } }
              image: { contentType: image/* }
              either: { contentType: 'image/png , application/x-foo' }
              several: { contentType: [image/png, application/x-foo] }
              any: { contentType: '*' }
              none: { contentType: '' }
              number: { contentType: application/x-foo }
              order: { contentType: application/xml }
              orders: { contentType: 'application/xml, application/x-foo' }
              json: { contentType: 'application/xml, application/json' }
              absent: { contentType: 7 }
      responses:
        '200': { description: d, content: { application/json: { schema: { type: object }, example: { ok: true } } } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer } } }
`;

let folder: TestFolder;
const mocks = new Map<string, ForegroundCommand>();
beforeAll(async () => {
  folder = await makeFolder();
  const file = join(folder.path, 'openapi.yaml');
  await writeFile(file, contract);
  for (const options of ['', '--dynamic'])
    mocks.set(
      options,
      await startInForeground(['mock', '--contract', file, ...options.split(' ').filter(Boolean)], {
        ...{ PORT: '0', LOG_LEVEL: 'silent' },
      }),
    );
});
afterAll(async () => {
  for (const mock of mocks.values()) expect(await mock.end()).toBe(0);
  await folder.remove();
});

/** The status of a form with one part; its media type may be absent. */
const statusOf = async (options: string, [name, content, type, file]: Part): Promise<number> => {
  const disposition = `form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`;
  const typed = type === '' ? '' : `Content-Type: ${type}\r\n`;
  const body = `--x\r\nContent-Disposition: ${disposition}\r\n${typed}\r\n${content}\r\n--x--\r\n`;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  return (await send(mocks.get(options)?.url ?? '', 'POST', '/upload', { headers, body })).status;
};

type Part = readonly [name: string, content: string, type: string, file?: string];

const accepted: readonly Part[] = [
  ['foo', 'x', 'application/x-foo', 'a.foo'],
  ['foo', 'x', 'Application/X-Foo; a=b', 'a.foo'],
  ['image', 'x', 'image/png', 'a.png'],
  ['either', 'x', 'application/x-foo', 'a.foo'],
  ['several', 'x', 'image/png', 'a.png'],
  ['several', 'x', 'application/x-foo', 'a.foo'],
  ['any', 'x', 'application/x-foo', 'a.foo'],
  ['none', 'x', 'application/x-foo', 'a.foo'],
  ['number', '5', 'application/x-foo'],
  ['order', '<id>7</id>', 'application/xml'],
  ['order', '<id>7</id>', 'application/xml', 'order.xml'],
  ['orders', '<id>7</id>', 'application/x-foo'],
  ['json', '{"id":7}', 'application/json'],
];
const refused: readonly Part[] = [
  ['foo', 'x', 'text/plain', 'a.foo'],
  ['image', 'x', 'application/x-foo', 'a.foo'],
  ['several', 'x', 'image/gif', 'a.gif'],
  ['number', 'x', 'application/x-foo'],
  ['order', '{"id":7}', 'application/json'],
  ['json', '{"id":"x"}', 'application/json'],
];

const each = (parts: readonly Part[]) =>
  ['', '--dynamic'].flatMap((options) => parts.map((part) => ({ options, part })));

test.each(each(accepted))('a mock $options takes $part', async ({ options, part }) => {
  expect(await statusOf(options, part)).toBe(200);
});

test.each(each(refused))('a mock $options refuses $part', async ({ options, part }) => {
  expect(await statusOf(options, part)).toBe(400);
});
