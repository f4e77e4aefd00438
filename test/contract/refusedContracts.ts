import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { checkExamples } from '../../src/contract/examples.js';
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
  throw new Error('it was not refused');
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
  describe('a contract that can not be used is refused with the place', () => {
    test.each(contracts)('%s', (_, from, to, what, shown) => {
      const found = refused(from, to);
      if (typeof what === 'string') expect(found.what).toBe(what);
      else expect(found.what).toMatch(what);
      expect(found.shown).toMatch(shown);
    });
  });
