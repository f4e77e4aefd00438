import { expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { describeContract } from '../../src/contract/description.js';
import { ContractError } from '../../src/contract/source.js';
import { contract, type Feature } from './feature.js';
import { callbackFeature, linkFeature, webhookFeature } from './linkFeatures.js';

const textOf = ({ paths, components, openapi, head }: Feature): string =>
  contract(paths, components, openapi, head);

/** What is said of the contract of a feature with another text, and what stands there. */
const refusalOf = (feature: Feature, from: string, to: string): [string, string] => {
  expect(textOf(feature)).toContain(from);
  const text = textOf(feature).replace(from, to);
  try {
    parseContract(text);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { line, column } = error.position;
    return [error.what, text.split('\n')[line - 1]!.slice(column - 1)];
  }
  throw new Error('it was not refused');
};

const link = 'POST /tasks: 200: the link task';
const event = "schema: { $ref: '#/components/schemas/Event' }";

test('what leads nowhere is refused with its place', () => {
  const refused = [
    [
      'a link to no operation',
      linkFeature,
      'operationId: task, parameters',
      'operationId: tusk, parameters',
      `${link}: there is no operation "tusk"`,
      /^tusk/,
    ],
    [
      'a link to a parameter that is none',
      linkFeature,
      "{ id: '$response.body#/id' }",
      "{ ids: '$response.body#/id' }",
      `${link}: GET /tasks/{id} has no parameter ids`,
      /^'\$response/,
    ],
    [
      'a link with a wrong expression',
      linkFeature,
      '$response.body#/id',
      '$response.bodies',
      `${link}: the parameter id is "$response.bodies", which is no runtime expression`,
      /^'\$response/,
    ],
    [
      'a link without an operation',
      linkFeature,
      'operationId: task, parameters',
      'parameters',
      `${link} needs either an operationId or an operationRef`,
      /task|parameters/,
    ],
    [
      'a link to another place',
      linkFeature,
      '/get',
      '/put',
      'POST /tasks: 200: the link same: operationRef leads to no operation of this contract',
      /^'#/,
    ],
    [
      'a link with a body for an operation without one',
      linkFeature,
      'operationId: task,',
      'operationId: task, requestBody: x,',
      `${link}: GET /tasks/{id} has no body`,
      /^x/,
    ],
    [
      'a callback with a wrong schema',
      callbackFeature,
      event,
      'schema: { type: string, format: colour }',
      /the callback done, .*: there is no format "colour"/,
      /^colour/,
    ],
    [
      'a callback with a broken reference',
      callbackFeature,
      'schemas/Event',
      'schemas/Nothing',
      '$ref "#/components/schemas/Nothing" leads to nothing',
      /#\/components/,
    ],
    [
      'a callback without a method',
      callbackFeature,
      'post:\n              requestBody',
      'past:\n              requestBody',
      /the callback done, .* has no method$/,
      /request/,
    ],
    [
      'a webhook with a wrong schema',
      webhookFeature,
      event,
      "schema: { type: string, pattern: '[' }",
      /the webhook done: post: invalid pattern/,
      /^'\['/,
    ],
    [
      'a webhook with a broken reference',
      webhookFeature,
      'schemas/Event',
      'schemas/Nothing',
      '$ref "#/components/schemas/Nothing" leads to nothing',
      /#\/components/,
    ],
    [
      'webhooks before OpenAPI 3.1',
      webhookFeature,
      'openapi: 3.1.0',
      'openapi: 3.0.3',
      'webhooks came with OpenAPI 3.1',
      /^webhooks/,
    ],
  ] as const;
  const found = refused.map(([name, feature, from, to]) => [name, ...refusalOf(feature, from, to)]);
  const matching = (what: string | RegExp): unknown =>
    typeof what === 'string' ? what : expect.stringMatching(what);
  expect(found).toEqual(refused.map(([name, , , , what, shown]) => [name, matching(what), matching(shown)]));
});

test('links, callbacks and webhooks stand in /openapi.yaml', () => {
  for (const feature of [linkFeature, callbackFeature, webhookFeature]) {
    const yaml = describeContract(parseContract(textOf(feature))).yaml('http://a');
    expect(yaml).toContain(feature.row.match(/`(\w+)`/)![1]!);
  }
});
