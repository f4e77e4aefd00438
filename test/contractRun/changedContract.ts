import type { Change } from '../../tools/contract/src/breaking/change.js';
import { compareContracts } from '../../tools/contract/src/breaking/compareContracts.js';
import { parseEarlierContract } from '../../tools/contract/src/contract.js';

const before = `openapi: 3.0.3
info: { title: Bees, version: 1.0.0 }
servers: [{ url: http://localhost }]
x-scopes: [read, write]
security: [{ bearerAuth: [] }, { apiKeyAuth: [] }]
paths:
  /bees:
    get:
      operationId: listBees
      x-scope: read
      parameters:
        - { name: hive, in: query, required: false, schema: { type: integer, minimum: 1, x-lenient: true } }
        - { name: If-None-Match, in: header, schema: { type: string } }
      responses:
        '200':
          headers: { ETag: { schema: { type: string } }, Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Bee' } } }
        '404': { $ref: '#/components/responses/Gone' }
    post:
      operationId: addBee
      x-scope: write
      requestBody:
        required: false
        x-max-bytes: 1000
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string, minLength: 1, maxLength: 20, x-trim: true }
                legs: { type: integer, default: 6, maximum: 8, x-lenient: true, x-leading-number: true, x-above-maximum: maximum }
                kind: { type: string, enum: [queen, worker] }
                size: { type: integer }
                tags: { type: array, maxItems: 3, items: { type: string, pattern: '^a' } }
      responses:
        '201': { content: { application/json: { schema: { $ref: '#/components/schemas/Bee' } } } }
        '404': { $ref: '#/components/responses/Gone' }
components:
  securitySchemes:
    bearerAuth: { type: http, scheme: bearer }
    apiKeyAuth: { type: apiKey, in: header, name: X-API-Key }
  responses:
    Gone:
      x-error: gone
      content: { application/json: { schema: { type: object, properties: { error: { type: string, enum: [gone] } } } } }
  schemas:
    Bee:
      type: object
      required: [id, born]
      properties:
        id: { type: integer, minimum: 1 }
        born: { type: string, format: date-time }
        died: { type: string, nullable: true }
        state: { type: string, enum: [asleep, awake] }
        inner: { type: object, properties: { wings: { type: number, maximum: 4 } } }
`;

const load = (source: string) => parseEarlierContract(source, 'bees.yaml');

/** The line that a change points to. */
export const lineAt = (change: Change | undefined): string | undefined =>
  before.split('\n')[Number(change?.at.split(':')[1]) - 1]?.trim();

/** The contract with these replacements. */
export const changed = (...changes: [from: string, to: string][]): string => {
  let after = before;
  for (const [from, to] of changes) {
    if (!after.includes(from)) throw new Error(`the contract has no "${from}"`);
    after = after.replace(from, () => to);
  }
  return after;
};

export const compareTexts = (from: string, to: string): Change[] => compareContracts(load(from), load(to));

/** The changes that these replacements make. */
export const compare = (...changes: [from: string, to: string][]): Change[] =>
  compareTexts(before, changed(...changes));

/** Changes as the report says them. */
export const sentencesOf = (changes: readonly Change[]): string[] =>
  changes.map(
    ({ severity, operation, text }) =>
      `${severity}: ${operation === undefined ? '' : `${operation}: `}${text}`,
  );
