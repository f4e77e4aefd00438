import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { run } from '../support/cli.js';
import { makeFolder } from '../support/folder.js';
import { runTool } from '../tools/tool.js';
import { defaultFeature, defaultFeature31 } from './defaultFeatures.js';
import { discriminatorFeatures } from './discriminatorFeatures.js';
import { contract, type Feature } from './feature.js';
import { callbackFeature } from './linkFeatures.js';
import { multipartFeatures } from './multipartFeatures.js';
import { formFeatures } from './formFeatures.js';
import { parameterFeatures } from './parameterFeatures.js';

/** Programs that stand next to the handlers. `refused` is what the compiler has to say of them. */
interface Case {
  readonly what: string;
  readonly code: string;
  readonly refused?: RegExp;
}

const createVoucher = (body: string): string => `
import type { Handler } from './handler.js';
export const handler: Handler<'createVoucher'> = async ({ input, reply }, { vouchers }) => { ${body} };`;
const reply = (status: number, fields: string): string =>
  createVoucher(`void input; void vouchers; return reply(${status}, { ${fields} });`);
const fields = `success: true, code: '1', formatted_code: '1', site: 'x', max_uses: 1, expire_minutes: 1`;
const handlers = (entries: string): string => `
import type { Handlers } from './handler.js';
import { handlers as all } from './index.js';
const { listSites, listVouchers, ...others } = all;
export const handlers: Handlers = { ...others, ${entries} };
void [listSites, listVouchers];`;

/** An operation as its types are generated: a status, a range, and everything else. */
const ranged = (reply: string): string => `
import type { OperationHandler } from './../src/contract/types.js';
type Body<T> = { content: { 'application/json': T } };
interface Operation {
  responses: { 200: Body<{ ok: true }>; 404: Body<{ missing: string }>; '4XX': Body<{ refused: string }>; default: Body<{ failed: string }> };
}
export const handler: OperationHandler<Operation, undefined, undefined> = ({ reply }) => ${reply};`;

/** Several media types of a success, and one without a body. */
const listed = (reply: string): string => `
import type { OperationHandler } from './../src/contract/types.js';
interface Operation {
  responses: {
    200: { content: { 'application/json': { rows: number }; 'text/csv': string } };
    202: { content?: never };
    400: { content: { 'application/json': { error: string } } };
  };
}
declare const stream: Buffer;
export const handler: OperationHandler<Operation, undefined, undefined> = ({ input, reply }) => { void input; return ${reply}; };`;

/** Fields that the generator has marked. */
const oneWay = (code: string): string => `
import type { OperationHandler } from './../src/contract/types.js';
interface $Read<T> { readonly $read: T }
interface $Write<T> { readonly $write: T }
interface User { id: $Read<number>; name: string; password?: $Write<string>; friends?: User[] }
interface Operation {
  requestBody: { content: { 'application/json': User } };
  responses: { 200: { content: { 'application/json': User } } };
}
export const handler: OperationHandler<Operation, undefined, undefined> = ({ input, reply }) => { ${code} };`;

/** The types of a contract, as `voucherd types` writes them. */
const typesOf = async ({ row, paths, components, openapi }: Feature): Promise<string> => {
  const folder = await makeFolder();
  const [file, out] = [join(folder.path, 'openapi.yaml'), join(folder.path, 'types.ts')];
  await writeFile(file, contract(paths, components, openapi));
  expect({ row, ...(await run(['types', file, '--out', out])) }).toMatchObject({ row, status: 0 });
  const types = await readFile(out, 'utf8');
  await folder.remove();
  return types;
};
const [choice, family, calledBack, uploaded, form, json, defaults, defaults31] = await Promise.all(
  [
    ...[...discriminatorFeatures, callbackFeature, multipartFeatures[0]!, formFeatures[0]!],
    parameterFeatures.find(({ row }) => row === 'parameters with `content`')!,
    ...[defaultFeature, defaultFeature31],
  ].map(typesOf),
);
const handled = (types: string | undefined, id: string, code: string): string => `${types}
import type { OperationHandler } from './../src/contract/types.js';
export const handler: OperationHandler<operations['${id}'], undefined, undefined> = ({ input: { body }, reply }) => {
  ${code}
  return reply(200, null);
};`;

const queried = (code: string): string => parametersOf(json, 'json', code);

const parametersOf = (types: string | undefined, id: string, code: string): string => `${types}
import type { OperationHandler } from './../src/contract/types.js';
export const handler: OperationHandler<operations['${id}'], undefined, undefined> = ({ input, reply }) => {
  const { query, header, cookie } = input;
  void [query, header, cookie];
  ${code}
  return reply(200, null);
};`;

const cases: Case[] = [
  {
    what: 'a field that only the chosen schema has',
    code: handled(
      choice,
      'one',
      `const found: string | number = body.kind === 'card' ? body.number : body.currency + String(body.number / 2); void found;`,
    ),
  },
  {
    what: 'a field that the chosen schema does not have',
    code: handled(choice, 'one', `if (body.kind === 'card') void body.currency;`),
    refused: /Property 'currency' does not exist/,
  },
  {
    what: 'a value that chooses nothing',
    code: handled(choice, 'any', `if (body.kind === 'cheque') return reply(200, 1);`),
    refused: /no overlap/,
  },
  {
    what: 'a field of the chosen component that has another one in its allOf',
    code: handled(
      family,
      'animal',
      `if (body.kind === 'Puppy') { const name: string | undefined = body.parent?.name; void [name, body.size]; }
      else if (body.kind === 'cat') { const lives: number = body.lives; void [lives, body.name]; }`,
    ),
  },
  {
    what: 'what is sent to a callback',
    code: `${calledBack}
import type { WebhookBody } from './../src/contract/types.js';
export const sent: WebhookBody<webhooks['watch.done']> = { id: 1, note: 'x' };`,
  },
  {
    what: 'something else that is sent to a callback',
    code: `${calledBack}
import type { WebhookBody } from './../src/contract/types.js';
export const sent: WebhookBody<webhooks['watch.done']> = { id: 'x' };`,
    refused: /Type 'string' is not assignable to type 'number'/,
  },
  {
    what: 'the files and fields of an upload',
    code: handled(
      uploaded,
      'upload',
      `const size: number = body.list.size + (body.photos ?? []).reduce((sum, { size }) => sum + size, 0);
      const name: string = body.list.name + body.list.mediaType; const id: number = body.site_id;
      void [size, name, id, body.list.stream().pipe, body.address?.city];`,
    ),
  },
  {
    what: 'a file as text',
    code: handled(uploaded, 'upload', `const text: string = body.list; void text;`),
    refused: /Type 'UploadedFile' is not assignable to type 'string'/,
  },
  {
    what: 'a parameter that is JSON',
    code: queried(`const age: number | undefined = query.where?.age; void [age, query.where?.deep?.a];`),
  },
  {
    what: 'a parameter that is JSON as text',
    code: queried(`const where: string | undefined = query.where; void where;`),
    refused: /is not assignable to type 'string'/,
  },
  {
    what: 'a parameter with a default as present',
    code: parametersOf(
      defaults,
      'defaults',
      `const { page, tags, filter, where, size, most, zone } = query;
      const numbers: number[] = [page, size, most]; const texts: string[] = [...tags, zone, header['X-Unit']];
      const theme: string | null = cookie.theme; void [numbers, texts, filter.free, where.age, theme];`,
    ),
  },
  {
    what: 'a parameter of a path with a default as present',
    code: parametersOf(defaults, 'ofPath', `const full: boolean = query.full; void full;`),
  },
  {
    what: 'a parameter with a default beside a reference as present',
    code: parametersOf(defaults31, 'defaults', `const size: number = query.size; void size;`),
  },
  {
    what: 'a parameter without a default as present',
    code: parametersOf(defaults, 'defaults', `const sort: string = query.sort; void sort;`),
    refused: /Type 'undefined' is not assignable to type 'string'/,
  },
  {
    what: 'a parameter without a default beside its reference as present',
    code: parametersOf(defaults31, 'defaults', `const most: number = query.most; void most;`),
    refused: /Type 'undefined' is not assignable to type 'number'/,
  },
  {
    what: 'the body of the media type that is named',
    code: listed(`reply(200, stream, { 'Content-Type': 'text/csv' })`),
  },
  {
    what: 'with a parameter',
    code: listed(`reply(200, stream, { 'Content-Type': 'text/csv; charset=utf-8', ETag: '"1"' })`),
  },
  {
    what: 'the media type that the client accepts',
    code: listed(`input.accept === 'text/csv' ? reply(200, stream) : reply(200, { rows: 1 })`),
  },
  {
    what: 'one that is not documented',
    code: listed(`input.accept === 'text/html' ? reply(200, stream) : reply(200, { rows: 1 })`),
    refused: /no overlap/,
  },
  { what: 'a reply without a body', code: listed(`reply(202)`) },
  { what: 'one with headers', code: listed(`reply(202, undefined, { Location: '/jobs/1' })`) },
  {
    what: 'a body where none is documented',
    code: listed(`reply(202, { rows: 1 })`),
    refused: /not assignable to/,
  },
  {
    what: 'the fields of a form',
    code: handled(form, 'order', `const id: number = body.site_id; void [id, body.address?.floor];`),
  },
  {
    what: 'a field of a form as text',
    code: handled(form, 'order', `const id: string = body.site_id; void id;`),
    refused: /Type 'number' is not assignable to type 'string'/,
  },
  {
    what: 'a field of another component with the same one in its allOf',
    code: handled(family, 'animal', `if (body.kind === 'cat') void body.size;`),
    refused: /Property 'size' does not exist/,
  },

  {
    what: 'a field that is only written in the input, and one that is only read in the reply',
    code: oneWay(`const given: string | undefined = input.body.friends?.[0]?.password; void given;
      return reply(200, { id: 1, name: input.body.name, friends: [{ id: 2, name: 'x' }] });`),
  },
  {
    what: 'a field that is only read in the input',
    code: oneWay(`void input.body.id; return reply(200, { id: 1, name: 'x' });`),
    refused: /Property 'id' does not exist/,
  },
  {
    what: 'a field that is only written in the reply',
    code: oneWay(`void input; return reply(200, { id: 1, name: 'x', password: 'x' });`),
    refused: /'password' does not exist/,
  },

  { what: 'a reply of a range', code: ranged(`reply(409, { refused: 'x' })`) },
  { what: 'a status of a range with a body of its own', code: ranged(`reply(404, { missing: 'x' })`) },
  { what: 'any status where there is a default', code: ranged(`reply(503, { failed: 'x' })`) },
  {
    what: 'the body of the range for a status with its own',
    code: ranged(`reply(404, { refused: 'x' })`),
    refused: /'refused' does not exist/,
  },
  {
    what: 'the body of the default for a status of a range',
    code: ranged(`reply(409, { failed: 'x' })`),
    refused: /'failed' does not exist/,
  },

  { what: 'a reply that the contract documents', code: reply(201, fields) },
  {
    what: 'a documented error as a reply',
    code: reply(404, `error: 'not_found', message: 'x'`),
  },
  {
    what: 'an input that the contract documents',
    code: createVoucher(`const { site_id, name, max_uses, qos } = input.body;
      const numbers: number[] = [site_id, max_uses, qos.down]; const texts: string[] = [name];
      const key: string | undefined = input.header['Idempotency-Key'];
      void [numbers, texts, key, vouchers]; return reply(201, { ${fields} });`),
  },
  { what: 'a handler for every operation', code: handlers('listSites, listVouchers') },
  { what: 'an undocumented status', code: reply(200, fields), refused: /'200' is not assignable/ },
  {
    what: 'the body of another status',
    code: reply(201, `error: 'not_found', message: 'x'`),
    refused: /'error' does not exist/,
  },
  {
    what: 'a missing reply field',
    code: reply(201, fields.replace(`site: 'x', `, '')),
    refused: /Property 'site' is missing/,
  },
  {
    what: 'a mistyped reply field',
    code: reply(201, fields.replace('max_uses: 1', `max_uses: '1'`)),
    refused: /Type 'string' is not assignable to type 'number'/,
  },
  {
    what: 'a reply field with a value that is not documented',
    code: reply(201, fields.replace('success: true', 'success: false')),
    refused: /Type 'false' is not assignable to type 'true'/,
  },
  { what: 'an extra reply field', code: reply(201, `${fields}, id: 1`), refused: /'id' does not exist/ },
  {
    what: 'a reply that is not made of a documented status and body',
    code: createVoucher(
      `void input; void reply; void vouchers; return { status: 200, body: { ${fields} } };`,
    ),
    refused: /is not assignable/,
  },
  {
    what: 'an unknown field of the body',
    code: createVoucher(`void vouchers; void input.body.email; return reply(201, { ${fields} });`),
    refused: /Property 'email' does not exist/,
  },
  {
    what: 'an unknown query parameter',
    code: createVoucher(`void vouchers; void input.query.page; return reply(201, { ${fields} });`),
    refused: /Property 'page' does not exist/,
  },
  {
    what: 'an unknown header',
    code: createVoucher(`void vouchers; void input.header['X-Other']; return reply(201, { ${fields} });`),
    refused: /Property 'X-Other' does not exist/,
  },
  {
    what: 'an operation without a handler',
    code: handlers('listSites'),
    refused: /Property 'listVouchers' is missing/,
  },
  {
    what: 'a handler for an operation that the contract does not have',
    code: handlers('listSites, listVouchers, deleteVoucher: listSites'),
    refused: /'deleteVoucher' does not exist/,
  },
  {
    what: 'the handler of another operation',
    code: handlers('listSites: listVouchers, listVouchers'),
    refused: /is not assignable/,
  },
];

/** All cases are one program of the native compiler, which reads only files. */
test('what the contract documents compiles, and nothing else', async () => {
  const folder = await makeFolder();
  const handlersFolder = join(root, 'handlers');
  for (const [index, { code }] of cases.entries())
    await writeFile(
      join(folder.path, `case${index}.ts`),
      // The name of the folder may hold quotes.
      code.replaceAll(
        /from '\.\/([^']*)'/g,
        (_, file: string) => `from ${JSON.stringify(join(handlersFolder, file))}`,
      ),
    );
  const tsconfig = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      incremental: false,
      tsBuildInfoFile: null,
      rootDir: '/',
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: ['*.ts'],
  };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  const { out } = await runTool(process.execPath, [compiler, '--pretty', 'false', '-p', folder.path], {
    cwd: folder.path,
  });
  await folder.remove();
  // A message is `case1.ts(2,3): error TS1234: …`, and the lines below it are indented. What is said of other files is
  // for `npm run typecheck`.
  const messages = out.split(/\n(?! )/);
  const said = cases.map(({ what }, index) => [
    what,
    messages.filter((message) => message.startsWith(`case${index}.ts(`)).join('\n'),
  ]);
  expect(said).toEqual(
    cases.map(({ what, refused }) => [what, refused ? expect.stringMatching(refused) : '']),
  );
});
