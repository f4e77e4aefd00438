import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { describeContract } from '../../src/contract/description.js';
import { checkExamples } from '../../src/contract/mock/examples.js';
import { validatorsOf } from '../../src/contract/runtime/validators.js';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { makeValidator } from '../../tools/contract/src/document/validator.js';
import { startProxy, startServer } from '../cli/proxy/servers.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { startInForeground } from '../support/foreground.js';
import { send } from '../support/service.js';
import { contract as contractWith } from './feature.js';
import { recursiveFeature, recursiveFeature31 } from './recursiveFeatures.js';

const versions = [recursiveFeature, recursiveFeature31].map(
  ({ paths, components, openapi }) => [openapi!, contractWith(paths, components, openapi)] as const,
);
const folder = forAllTests(makeFolder, 'remove');

interface Comment {
  readonly text: string;
  readonly replies?: readonly Comment[];
  readonly parent?: Comment;
}
const depthOf = ({ replies = [], parent }: Comment): number =>
  1 + Math.max(0, ...[...replies, ...(parent ? [parent] : [])].map(depthOf));

test.each(versions)(
  'the mock of OpenAPI %s answers with some levels, and validates all',
  async (version, source) => {
    const file = join(folder.path, `${version}.yaml`);
    await writeFile(file, source);
    const contract = parseContract(source);
    checkExamples(contract);
    const [operation] = contract.operations.values();
    for (const options of [[], ['--dynamic']]) {
      const mock = await startInForeground(['mock', '--contract', file, ...options], {
        PORT: '0',
        LOG_LEVEL: 'silent',
      });
      try {
        const answer = await send(mock.url, 'POST', '/c', { body: { text: 'x' } });
        expect(answer.status).toBe(200);
        expect(validatorsOf(contract).replyErrors(operation!, 200, answer.body)).toEqual([]);
        expect(depthOf(answer.body as Comment)).toBeLessThan(5);
        const wrong = { text: 'x', replies: [{ text: 'y', parent: { text: 5 } }] };
        expect((await send(mock.url, 'POST', '/c', { body: wrong })).status).toBe(400);
      } finally {
        await mock.end();
      }
    }
  },
);

test('the proxy compares every level of requests and answers', async () => {
  const file = join(folder.path, 'proxied.yaml');
  await writeFile(file, versions[0]![1]);
  const answered = { text: 'a', replies: [{ text: 'b', parent: { text: 'c', replies: [{ text: 5 }] } }] };
  const server = await startServer((_req, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answered)),
  );
  const proxy = await startProxy(server.url, '--contract', file);
  try {
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer x' };
    const body = { text: 'a', parent: { text: 'b', parent: { likes: 1 } } };
    const answer = await send(proxy.url, 'POST', '/c', { headers, body });
    const found = String(answer.headers['x-contract-violation']);
    expect(found).toContain("request body: /parent/parent must have required property 'text'");
    expect(found).toContain('response body: /replies/0/parent/replies/0/text must be string');
  } finally {
    await proxy.end();
    await server.stop();
  }
});

test.each(versions)('the contract run of OpenAPI %s looks into some levels', (_, source) => {
  const [operation] = parseContractModel(source).operations;
  const validate = makeValidator(operation!.responses.find(({ status }) => status === 200)!.body!.schema!);
  expect(validate({ text: 'a', replies: [{ text: 5 }] })).toHaveLength(1);
  expect(validate({ text: 'a', replies: [{ text: 'b', replies: [{ text: 'c', replies: [{}] }] }] })).toEqual(
    [],
  );
  expect(JSON.stringify(operation!.requestBody!.schema)).not.toContain('$ref');
});

test('the description has the schema by its name, and ends where it is not named', () => {
  const described = (components: string) =>
    JSON.parse(
      describeContract(parseContract(contractWith(recursiveFeature.paths, components))).json('http://a'),
    ) as { components: { schemas: Record<string, unknown> } };
  const { schemas } = described(recursiveFeature.components!).components;
  expect(schemas['Comment']).toMatchObject({
    properties: { replies: { items: { $ref: '#/components/schemas/Comment' } } },
  });
  const inside = recursiveFeature.components!.replace(
    "parent: { $ref: '#/components/schemas/Comment' }",
    "parent: { type: object, properties: { up: { $ref: '#/components/schemas/Comment/properties/parent' } } }",
  );
  expect(JSON.stringify(described(inside))).toContain('#/components/schemas/Comment/properties/parent');
});

test('two schemas that lead to each other are validated, also when only one is named first', () => {
  const source = contractWith(
    recursiveFeature.paths.replaceAll('schemas/Comment', 'schemas/A~1b'),
    `schemas:
  A/b: { type: object, properties: { b: { $ref: '#/components/schemas/B%7B' }, n: { type: integer } } }
  B{: { type: object, allOf: [{ $ref: '#/components/schemas/C' }], properties: { a: { $ref: '#/components/schemas/A~1b' } } }
  C: { properties: { c: { $ref: '#/components/schemas/B%7B' } } }`,
  );
  const contract = parseContract(source);
  const [operation] = contract.operations.values();
  const errors = (body: unknown) =>
    validatorsOf(contract)
      .replyErrors(operation!, 200, body)
      .map(({ instancePath }) => instancePath);
  expect(errors({ b: { c: { a: { b: { a: { n: 1 } } } } } })).toEqual([]);
  expect(errors({ b: { c: { a: { b: { a: { n: 'x' } } } } } })).toEqual(['/b/c/a/b/a/n']);
});
