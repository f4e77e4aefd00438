import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { parseContract, type ParseOptions } from '../../src/contract/contract.js';
import { BodyFault } from '../../src/contract/bodies/fileFields.js';
import { BufferedFile } from '../../src/contract/bodies/uploadedFile.js';
import { contract, indent } from './feature.js';
import { postForm } from './formFeatures.js';

const media = 'multipart/form-data';

/** The operation of a contract whose body has the schema `Upload` of these. */
const load = (schemas: string, openapi?: string, options?: ParseOptions, encoding = '') => {
  const paths = postForm('upload', "$ref: '#/components/schemas/Upload'", encoding, media);
  const source = contract(paths, `schemas:\n${indent(schemas, 2)}`, openapi);
  const [operation] = parseContract(source, options).operations.values();
  return operation;
};

/** The fields of a form that has one. */
const read = (operation: ReturnType<typeof load>, name: string, content: Buffer, ...headers: string[]) => {
  const head = [`Content-Disposition: form-data; name="${name}"`, ...headers, '', ''].join('\r\n');
  const body = Buffer.concat([Buffer.from(`--b\r\n${head}`), content, Buffer.from('\r\n--b--')]);
  return operation?.requestBody?.types[0]?.parse(body, `${media}; boundary=b`);
};

const ofOthers: ParseOptions = {
  isForeign: true,
  onUnsupported: (error) => {
    throw error;
  },
};

test.each([
  ['ours', 1_000, {}],
  ['of others', 50, ofOthers],
] as const)('a form that is shared for its size has files: one %s', async (_what, fields, options) => {
  const operation = load(
    `
Upload:
  type: object
  properties:
    scan: { type: string, format: binary }
    next: { type: array, items: { $ref: '#/components/schemas/Upload' } }
${Array.from({ length: fields }, (_, at) => `    field${at}: { type: string, maxLength: 9 }`).join('\n')}`,
    '3.0.3',
    options,
  );
  const bytes = Buffer.from([0, 255]);
  const { scan } = read(operation, 'scan', bytes) as { scan: BufferedFile };
  expect(scan).toBeInstanceOf(BufferedFile);
  expect(await buffer(scan.stream())).toEqual(bytes);
  expect(read(operation, 'field7', Buffer.from('x'))).toEqual({ field7: 'x' });
});

test('a list of lists of any depth is no list of files', () => {
  const operation = load(`
Upload:
  type: object
  properties:
    tree: { $ref: '#/components/schemas/Tree' }
Tree: { type: array, items: { $ref: '#/components/schemas/Tree' } }
`);
  const json = 'Content-Type: application/json';
  expect(read(operation, 'tree', Buffer.from('[[],[[]]]'), json)).toEqual({ tree: [[], [[]]] });
});

test('in OpenAPI 3.1 what has a media type and no type is a file of that media type', () => {
  const operation = load(
    `
Upload:
  type: object
  properties:
    scan: { contentMediaType: image/png }
    scans: { type: array, items: { contentMediaType: image/png } }
`,
    '3.1.0',
  );
  const send = (name: string, type: string) =>
    read(operation, name, Buffer.from([255]), `Content-Type: ${type}`);
  const file = expect.any(BufferedFile) as unknown;
  expect(send('scan', 'image/png')).toEqual({ scan: file });
  expect(send('scans', 'image/png')).toEqual({ scans: [file] });
  for (const name of ['scan', 'scans']) expect(send(name, 'image/gif')).toBeInstanceOf(BodyFault);
});

test('files of what a discriminator chooses have the media types of the encoding', () => {
  const alternatives = `
Upload:
  oneOf: [{ $ref: '#/components/schemas/Photo' }, { $ref: '#/components/schemas/Letter' }]
  discriminator: { propertyName: kind }
Photo:
  type: object
  required: [kind]
  properties: { kind: { type: string, enum: [Photo] }, scan: { type: string, format: binary } }
Letter:
  type: object
  required: [kind]
  properties: { kind: { type: string, enum: [Letter] }, text: { type: string } }
`;
  const operation = load(alternatives, undefined, undefined, 'scan: { contentType: image/png }');
  const send = (type: string) => read(operation, 'scan', Buffer.from([255]), `Content-Type: ${type}`);
  expect(send('image/png')).toEqual({ scan: expect.any(BufferedFile) });
  expect(send('image/gif')).toBeInstanceOf(BodyFault);
  expect(() => load(alternatives, undefined, undefined, 'page: { contentType: image/png }')).toThrow(
    'encoding of page: there is no such field',
  );
});
