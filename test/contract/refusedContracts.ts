import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { checkExamples } from '../../src/contract/mock/examples.js';
import { ContractError } from '../../src/contract/source.js';
import { contractFile } from '../support/contract.js';

export const written = readFileSync(contractFile, 'utf8');

/** Parts of the contract that are replaced. */
export const siteIdMessage = '            x-message: site_id erforderlich\n';
export const siteIdInQuery = `        - name: site_id
          in: query`;

/** What a designer sees of a contract in which one text was replaced: what is wrong, and the line from there on. */
const refused = (from: string, to: string): { what: string; shown: string } => {
  expect(written).toContain(from);
  const text = written.replace(from, () => to);
  try {
    checkExamples(parseContract(text));
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { file, line, column } = error.position;
    expect(error.message).toBe(`${file}:${line}:${column}: ${error.what}`);
    expect(file).toBe('openapi.yaml');
    return { what: error.what, shown: text.split('\n')[line - 1]!.slice(column - 1) };
  }
  return { what: 'it was not refused', shown: '' };
};

/** What it has, a text of it and another one instead; what is wrong, and the line from there on. */
type RefusedContract = readonly [
  name: string,
  from: string,
  to: string,
  what: string | RegExp,
  shown: RegExp,
];

/** Each contract is refused with the place of what is wrong. */
export const testRefused = (contracts: readonly RefusedContract[]): void =>
  test('a contract that can not be used is refused with the place', () => {
    const found = contracts.map(([name, from, to]) => ({ name, ...refused(from, to) }));
    const expected = contracts.map(([name, , , what, shown]) => ({
      name,
      what: typeof what === 'string' ? what : (expect.stringMatching(what) as unknown),
      shown: expect.stringMatching(shown) as unknown,
    }));
    expect(found).toEqual(expected);
  });
