import { readFileSync } from 'node:fs';
import dereferencing from 'dereference-json-schema';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { collectExamples, type Example } from './document/examples.js';
import { jsonFields, isJson, jsonText, type Json } from './document/json.js';
import { readOperations } from './document/operations.js';
import { makePositions, type FilePosition } from './document/positions.js';
import { makeReader, type Reader } from './document/reader.js';
import type { OperationModel } from './document/types.js';

/** The contract as the stages read it. It may be faulty; only a file that is no YAML object can't be loaded. */
export interface ContractModel {
  /** As it is named in reports. */
  readonly file: string;
  readonly source: string;
  /** `info.version`, empty where there is none. */
  readonly version: string;
  /** As written, with its references. */
  readonly document: Json;
  /** With every reference replaced by what it refers to. */
  readonly resolved: Json;
  /** Walks the document with the place of everything. */
  readonly reader: Reader;
  /** In the order of the file. */
  readonly operations: readonly OperationModel[];
  /** Every example of every operation; one of a shared component once for each operation that uses it. */
  readonly examples: readonly Example[];
  /** The operation with this id. Throws when there is none. */
  operation(id: string): OperationModel;
  /** Where a JSON pointer (`/paths/~1sites.php/get`) stands. */
  position(pointer: string): FilePosition;
  /** The same as a text for a `Problem`: `openapi.yaml:120:7`. */
  at(pointer: string): string;
}

/** A file that is no contract at all; the message starts with the place. */
export class ContractFileError extends Error {
  override readonly name = 'ContractError';
  constructor(
    message: string,
    readonly at: string,
  ) {
    super(message);
  }
}

/** Reads a contract from a file. Throws `ContractError`. */
export const loadContractModel = (file: string): ContractModel =>
  parseContractModel(readFileSync(file, 'utf8'), file);

/** Reads a contract from its text. Throws `ContractError`. */
export const parseContractModel = (source: string, file = 'openapi.yaml'): ContractModel => {
  const lines = new LineCounter();
  const yaml = parseDocument(source, { lineCounter: lines, merge: true });
  const [fault] = yaml.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    const [headline = ''] = fault.message.split('\n');
    throw new ContractFileError(headline.replace(/( at line .*)?:$/, ''), `${file}:${line}:${col}`);
  }
  const document: unknown = yaml.toJS();
  if (!isMap(yaml.contents) || !isJson(document)) {
    throw new ContractFileError('the file holds no object', `${file}:1:1`);
  }
  const position = makePositions(yaml, lines);
  const resolved = dereferencing.dereferenceSync(structuredClone(document)) as Json;
  const reader = makeReader(document, resolved);
  const operations = readOperations(reader);
  return {
    file,
    source,
    version: jsonText(jsonFields(document['info'])['version']) ?? '',
    document,
    resolved,
    reader,
    operations,
    examples: operations.flatMap((operation) => collectExamples(operation)),
    operation: (id) => {
      const found = operations.find((operation) => operation.id === id);
      if (!found) throw new Error(`the contract has no operation ${id}`);
      return found;
    },
    position,
    at: (pointer) => {
      const { line, column } = position(pointer);
      return `${file}:${line}:${column}`;
    },
  };
};
