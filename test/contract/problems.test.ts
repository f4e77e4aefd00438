import { describe, expect, test } from '@jest/globals';
import { documentedResponses, readContract } from '../support/contract.js';

const contract = readContract();
const errors = documentedResponses(contract).filter(({ status }) => Number(status) >= 400);

const { enum: problemCodes } = contract.components.schemas.Error.properties.error;

test('the codes of the responses are those of the schema Error', () => {
  const codes = [...new Set(errors.map(({ response }) => response['x-error']))];
  expect([...problemCodes].sort()).toEqual(codes.sort());
});

test('a code has one status', () => {
  const statuses = new Map<unknown, Set<string>>();
  for (const { status, response } of errors) {
    const code = response['x-error'];
    statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
  }
  expect([...statuses.values()].map(({ size }) => size)).toEqual(Array(problemCodes.length).fill(1));
});

describe.each(errors)('$operationId $status', ({ response }) => {
  const example = response.content?.['application/json']?.example;

  test('the example has the code of the answer', () => {
    expect(example?.error).toBe(response['x-error']);
  });

  test("the example's message is the text of the answer, with its braces filled in", () => {
    const text = response['x-message']!.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+');
    expect(example?.message).toMatch(new RegExp(`^${text}$`));
  });
});
