import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseDocument } from 'yaml';
import { pointerOf } from '../../../../src/contract/source.js';
import { packageRoot } from '../../../../src/lib/packageRoot.js';
import type { ContractModel } from '../contract.js';
import { jsonFields } from '../json.js';
import { fieldCause, type Case, type Stage } from '../stage.js';

/** One thing that a rule of redocly.yaml has found. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warn';
  readonly message: string;
  /** The file, if it is another one than the contract itself. */
  readonly file?: string;
  /** JSON pointer into the file. */
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  /** The field, the component or the extension key that the message speaks of. */
  readonly names: readonly string[];
}

interface Linter {
  lintContract(source: string, folder: string, name: string): Promise<LintFinding[]>;
}

/** Shared with `npm run lint` and `npm run dev`, which run without a build. */
const linter = pathToFileURL(join(packageRoot, 'scripts/lint/lintContract.mjs')).href;

export const lintWithRedocly = async (source: string, file: string): Promise<LintFinding[]> => {
  const { lintContract } = (await import(linter)) as Linter;
  return lintContract(source, dirname(resolve(file)), basename(file));
};

/** What each rule holds, as a sentence. The others are Redocly's own and known by their names. */
const rules: Readonly<Record<string, string>> = {
  yaml: 'the contract is YAML',
  'operation-operationId': 'every operation has an operationId',
  'operation-operationId-unique': 'no two operations have the same operationId',
  'contract/operation-scope': 'every operation has an x-scope',
  'contract/examples': 'every parameter, request body and response body has an example',
  'no-invalid-media-type-examples': 'every example of a body fits its schema',
  'no-invalid-parameter-examples': 'every example of a parameter fits its schema',
  'no-unresolved-refs': 'every reference leads somewhere',
  'contract/schemas': 'every status has a schema, or no body at all',
  'contract/documented-statuses': 'every status that an operation gives is documented',
  'contract/patterns': 'every pattern is a regular expression',
  'contract/exclusive-bounds': 'every exclusive bound is true or false beside its bound',
  'contract/known-extensions': 'every x- key is a known one, in its place, with a value that it can have',
};

const others = "Redocly's recommended rules hold";

/** Rules that the contract must follow by itself. */
export const lint: Stage = {
  name: 'lint',
  title: 'the contract by itself: form, examples, schemas, extension keys',
  run: async ({ contract, recorder }) => {
    const findings = await lintWithRedocly(contract.source, contract.file);
    for (const { file, rule, severity, message, pointer, line, column, names } of findings) {
      const found = file === undefined ? contract.file : join(dirname(contract.file), file);
      const tried = {
        name: rules[rule] ?? `Redocly's rule ${rule} holds`,
        ...(file === undefined ? operationAt(contract, pointer) : {}),
      };
      const problem = {
        what: `${message} (${rule})`,
        at: `${found}:${line}:${column}`,
        // A value that does not fit its schema is found by its examples, too, and a field that is gone by comparison.
        cause: [
          ...(rule.startsWith('no-invalid-') ? [`value ${found}:${line}`] : []),
          ...names.map(fieldCause),
        ],
      };
      if (severity === 'error') recorder.failed(tried, problem);
      else recorder.warned(tried, problem);
    }
    const broken = new Set(findings.map(({ rule }) => rule));
    for (const [rule, name] of Object.entries(rules)) if (!broken.has(rule)) recorder.passed({ name });
    if (![...broken].some((rule) => !(rule in rules))) recorder.passed({ name: others });
  },
};

/** The operation that a JSON pointer leads into; the contract may be one that can't be loaded. */
const operationAt = ({ source }: ContractModel, pointer: string): Pick<Case, 'operationId'> => {
  const [root = '', path = '', method = ''] = pointerOf(`#${pointer}`) ?? [];
  if (root !== 'paths') return {};
  const document = parseDocument(source).toJS({ maxAliasCount: -1 }) as unknown;
  const { operationId } = jsonFields(jsonFields(jsonFields(jsonFields(document)[root])[path])[method]);
  return typeof operationId === 'string' ? { operationId } : {};
};
