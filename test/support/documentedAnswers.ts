import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { makeAnswerCheck } from '../../tools/contract/src/conformance/answers.js';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import type { Target } from '../../tools/contract/src/target/target.js';
import { contractFile } from './contract.js';

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Only a key with a limit gets 429, so these are always there then. */
const rateLimits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Fails when an answer is not one that the contract documents for the operation. */
export type ExpectDocumented = (operationId: string, answer: ReceivedAnswer) => void;

/** As the contract run judges answers of its own service. */
export const makeExpectDocumented = (): ExpectDocumented => {
  const contract = parseContractModel(readFileSync(contractFile, 'utf8'));
  const { faults } = makeAnswerCheck(contract, { fixture: {}, keys: { all: () => [] } } as unknown as Target);
  return (operationId, { status, headers, text }) => {
    const answer = { status, headers, text, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    const present = status === 429 ? rateLimits : [];
    const found = faults(contract.operation(operationId), answer, { present });
    if (found.length === 0) return;
    throw new Error(`${operationId} ${status}: ${found.map((fault) => fault.text).join('; ')}`);
  };
};
