import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

export const contractFile = 'openapi.yaml';
export const webContractFile = 'web.yaml';

interface Response {
  'x-error'?: string;
  'x-message'?: string;
  content?: Record<string, { example?: { error: string; message: string } }>;
}

/** The contract as far as tests read it. */
export interface ContractText {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Response & { $ref?: string }> }>
  >;
  components: {
    responses: Record<string, Response>;
    schemas: { Error: { properties: { error: { enum: string[] } } } };
  };
}

export const readContract = (): ContractText =>
  parse(readFileSync(contractFile, 'utf8'), { merge: true }) as ContractText;

/** Every response of every operation, with references followed. */
export const documentedResponses = (
  contract: ContractText,
): { operationId: string; status: string; response: Response }[] =>
  Object.values(contract.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, response]) => {
        const name = response.$ref?.split('/').at(-1);
        return {
          operationId,
          status,
          response: name === undefined ? response : contract.components.responses[name]!,
        };
      }),
    );

/** A copy of the contract as a designer might change it. Each pair is a text, which must occur, and its successor. */
export const changedContract = (
  ...changes: [from: string, to: string][]
): { file: string; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'voucherd-contract-'));
  const file = join(folder, 'openapi.yaml');
  let text = readFileSync(contractFile, 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the contract has no "${from}"`);
    text = text.replace(from, to);
  }
  writeFileSync(file, text);
  return {
    file,
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
};
