import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadGivenContract } from '../../src/cli/givenContract.js';
import { loadContract } from '../../src/contract/contract.js';
import { describeContract } from '../../src/contract/description.js';
import { checkExamples } from '../../src/contract/mock/examples.js';
import { ContractError } from '../../src/contract/source.js';
import { loadContractModel } from '../../tools/contract/src/contract.js';
import { lint } from '../../tools/contract/src/lint/lint.js';
import { startProxy, startServer } from '../cli/proxy/servers.js';
import { optionsOf, runStageAlone } from '../contractRun/stageRun.js';
import type { TestFolder } from '../support/folder.js';
import { startInForeground } from '../support/foreground.js';
import { send } from '../support/service.js';
import { contract as contractWith } from './feature.js';
import { fileFeatures, siteFiles } from './fileFeatures.js';
import { writeContract } from './writtenContract.js';

const [{ paths, components = '' }] = fileFeatures as [(typeof fileFeatures)[number]];
const source = contractWith(paths, components);

let folder: TestFolder | undefined;
afterEach(() => folder?.remove());

const fileOf = (name: string): string => join(folder!.path, name);

/** The contract in its files, with others in place of some. */
const write = async (files: Record<string, string> = {}): Promise<string> => {
  folder = await writeContract(source, { ...siteFiles, ...files });
  return fileOf('openapi.yaml');
};

/** Where a contract is refused, as a person finds the place: the file, and the line from there on. */
const refusalOf = (load: () => unknown): { file: string; shown: string; what: string } => {
  try {
    load();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { file, line, column } = error.position;
    const shown = readFileSync(file, 'utf8')
      .split('\n')
      .at(line - 1)!
      .slice(column - 1);
    return { file: file.slice(folder!.path.length + 1), shown, what: error.what };
  }
  throw new Error('it was not refused');
};

const people = 'parts/schemas/people.yaml';
const withOwner = (owner: string): Record<string, string> => ({
  [people]: `definitions:\n  Owner: ${owner}\n`,
});

test.each<[string, Record<string, string>, string, string | RegExp, RegExp]>([
  ['invalid YAML', { [people]: 'definitions:\n  Owner: {\n' }, people, /Flow map/, /^/],
  ['a schema', withOwner('{ type: string, format: x }'), people, /no format "x"/, /^x }/],
  [
    'an example',
    { 'parts/answers/my example.yaml': 'name: Haus\nowner: 5\n' },
    'parts/answers/my example.yaml',
    /the example does not fit/,
    /^5/,
  ],
  [
    'an operation',
    { 'paths/sites.yaml': siteFiles['paths/sites.yaml'].replace('x-scope: read', 'x-scope: {}') },
    'paths/sites.yaml',
    /x-scope/,
    /^x-scope/,
  ],
  [
    'nothing',
    withOwner('{ $ref: "#/definitions/No" }'),
    people,
    '$ref "#/definitions/No" leads to nothing',
    /^"#/,
  ],
  [
    'a missing file',
    withOwner('{ $ref: no.yaml }'),
    people,
    '$ref "no.yaml" leads to a file that is missing',
    /^no/,
  ],
  [
    'a folder',
    withOwner('{ $ref: ../schemas }'),
    people,
    /^\$ref "\.\.\/schemas" can't be read: it is not a file/,
    /^\./,
  ],
  [
    'an address',
    withOwner('{ $ref: "http://127.0.0.1:9/a.yaml" }'),
    people,
    '$ref "http://127.0.0.1:9/a.yaml" is an address: references lead to files in the folder of the contract',
    /^"http/,
  ],
  [
    'a file elsewhere',
    withOwner('{ $ref: /etc/hostname }'),
    people,
    /leads out of the folder of the contract$/,
    /^\/etc/,
  ],
  [
    'a file above',
    withOwner('{ $ref: ../../../a.yaml }'),
    people,
    /leads out of the folder of the contract$/,
    /^\.\./,
  ],
  [
    'an anchor',
    withOwner('{ $ref: "site.yaml#name" }'),
    people,
    /must have a path that begins with \/ after the #$/,
    /^"site/,
  ],
  [
    'a long name',
    withOwner(`{ $ref: ${'a'.repeat(65_536)} }`),
    people,
    /^\$ref "a{200}…" can't be read: ENAMETOOLONG$/,
    /^aaa/,
  ],
  [
    'a text with NUL',
    withOwner('{ $ref: "a\\0b" }'),
    people,
    /^\$ref "a\0b" can't be read: ERR_INVALID_ARG_VALUE$/,
    /^"a/,
  ],
  [
    'a cycle of references',
    withOwner('{ $ref: "people.yaml#/definitions/Owner" }'),
    people,
    'Owner leads back to itself before any field or item',
    /^Owner/,
  ],
  [
    'a cycle of paths',
    { 'paths/sites.yaml': '$ref: more.yaml', 'paths/more.yaml': '$ref: sites.yaml' },
    'paths/more.yaml',
    '$ref "sites.yaml" leads back to itself',
    /^sites/,
  ],
  [
    'something beside a path',
    { 'paths/sites.yaml': '$ref: more.yaml\nsummary: x', 'paths/more.yaml': 'get: {}' },
    'paths/sites.yaml',
    '$ref "more.yaml" leads to another file, so nothing else may stand beside it here',
    /^more/,
  ],
])(
  'a contract whose file has or leads to %s is refused with the place in that file',
  async (_, files, file, what, shown) => {
    const contract = await write(files);
    const found = refusalOf(() => checkExamples(loadContract(contract)));
    if (typeof what === 'string') expect(found.what).toBe(what);
    else expect(found.what).toMatch(what);
    if (file !== '') expect(found.file).toBe(file);
    expect(found.shown).toMatch(shown);
  },
);

test('a link may not lead out of the folder', async () => {
  const contract = await write();
  const outside = await writeContract('', { 'people.yaml': siteFiles[people] });
  mkdirSync(fileOf('other'));
  symlinkSync(outside.path, fileOf('parts/schemas/out'));
  writeFileSync(fileOf(people), 'definitions: { Owner: { $ref: "out/people.yaml#/definitions/Owner" } }');
  try {
    expect(refusalOf(() => loadContract(contract)).what).toMatch(/leads out of the folder of the contract$/);
  } finally {
    await outside.remove();
  }
});

test('it is described as one document, with the names of its components', async () => {
  const description = describeContract(loadContract(await write()));
  const schemas = {
    Site: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { $ref: '#/components/schemas/Name' },
        owner: { $ref: '#/components/schemas/Owner' },
      },
    },
    Name: { type: 'string', minLength: 1 },
    Owner: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 20 } } },
  };
  const json = JSON.parse(description.json('http://a')) as { components: { schemas: unknown } };
  expect(json.components.schemas).toEqual({ ...schemas, Number: { type: 'integer', minimum: 1 } });
  const yaml = parse(description.yaml('http://b')) as {
    servers: unknown;
    paths: Record<string, { post: { responses: unknown } }>;
    components: { schemas: Record<string, unknown>; responses: unknown };
  };
  expect(yaml.servers).toEqual([{ url: 'http://b' }]);
  expect(Object.keys(yaml.components.schemas)).toEqual(['Site', 'Name', 'Owner', 'Number']);
  expect(yaml.paths['/sites']!.post.responses).toMatchObject({
    '200': { $ref: '#/components/responses/site' },
  });
  expect(yaml.components.responses).toEqual({
    site: {
      description: 'The site',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Site' },
          example: { name: 'Haus', owner: { name: 'Amt' } },
        },
      },
    },
  });
});

test('the mock serves it, and leaves out what refers to nothing with its place', async () => {
  const broken = siteFiles['paths/sites.yaml'].replace('get:', 'get:\n  deprecated: { $ref: no.yaml }');
  const contract = await write({ 'paths/sites.yaml': broken });
  const leftOut: string[] = [];
  loadGivenContract(
    contract,
    () => '',
    (reason) => void leftOut.push(reason),
  );
  expect(leftOut).toEqual([
    `${fileOf('paths/sites.yaml')}:4:23: $ref "no.yaml" leads to a file that is missing`,
  ]);
  const mock = await startInForeground(['mock', '--contract', contract], { PORT: '0', LOG_LEVEL: 'silent' });
  try {
    const added = await send(mock.url, 'POST', '/sites', { body: { name: 'x' } });
    expect(added).toMatchObject({ status: 200, body: { name: 'Haus', owner: { name: 'Amt' } } });
    expect(await send(mock.url, 'POST', '/sites', { body: {} })).toMatchObject({ status: 400 });
    expect((await send(mock.url, 'GET', '/sites')).status).toBe(405);
  } finally {
    await mock.end();
  }
});

test('the proxy compares with it', async () => {
  const server = await startServer((_req, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"name":"a","owner":{"name":5}}'),
  );
  const proxy = await startProxy(server.url, '--contract', await write());
  try {
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer x' };
    const answer = await send(proxy.url, 'POST', '/sites', { headers, body: { name: '' } });
    const found = String(answer.headers['x-contract-violation']);
    expect(found).toContain('request body: /name must NOT have fewer than 1 characters');
    expect(found).toContain('response body: /owner/name must be string');
  } finally {
    await proxy.end();
    await server.stop();
  }
});

test('the contract run reads it, and names the places in its files', async () => {
  const contract = loadContractModel(
    await write(withOwner('{ type: object, x-nonsense: 1, properties: { name: { type: string } } }')),
  );
  if ('error' in contract) throw contract.error;
  expect(contract.operations.map(({ id }) => id)).toEqual(['listSites', 'addSite']);
  const example = contract.examples.find(({ operationId }) => operationId === 'addSite');
  expect(example).toMatchObject({ value: { name: 'Haus', owner: { name: 'Amt' } } });
  expect(contract.at(['paths', '/sites', 'post', 'operationId'])).toMatch(/paths\/sites\.yaml:\d+:16$/);
  const result = await runStageAlone(lint, { contract, options: optionsOf() });
  const places = result.stages.flatMap(({ cases }) => cases.flatMap(({ problem }) => problem?.at ?? []));
  expect(places).toContainEqual(expect.stringMatching(/parts\/schemas\/people\.yaml:2:26$/));
});
