import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document, Node } from 'yaml';
import { sanitizeLine } from '../lib/label.js';
import { ConfigurationError } from './configurationError.js';

const require = createRequire(import.meta.url);

/** A path to a value: names of objects, positions in lists. */
export type FieldPath = readonly (string | number)[];

/** A file of plain data: no aliases, no tags, no name twice. */
export interface PlainFile {
  readonly content: unknown;
  /** Refuses the file because of what stands at a path, or of the last thing on the way to it. */
  refuse(path: FieldPath, what: string, code?: 'file-invalid' | 'conflict'): never;
}

export const maxFileBytes = 4 * 1024 * 1024;
/** Each becomes several objects. */
const maxTokens = 400_000;
const maxDepth = 20;

/** Reads YAML, of which JSON is a part. Throws `ConfigurationError` with the line. */
export const readPlainFile = (text: string, name: string): PlainFile => {
  const yaml = require('yaml') as typeof Yaml;
  const lines = new yaml.LineCounter();
  const refuseAt = (
    offset: number,
    what: string,
    code: 'file-invalid' | 'conflict' = 'file-invalid',
  ): never => {
    const { line, col } = lines.linePos(offset);
    throw new ConfigurationError(
      code,
      `${name}:${String(Math.max(line, 1))}:${String(Math.max(col, 1))}: ${sanitizeLine(what).slice(0, 300)}`,
    );
  };
  assertFewTokens(yaml, text, name);
  const document = yaml.parseDocument(text, { lineCounter: lines, merge: false, stringKeys: true });
  const [fault] = [...document.errors, ...document.warnings];
  // The rest of the message repeats the position and the line.
  if (fault) refuseAt(fault.pos[0], fault.message.split(/ at line |\n/)[0] ?? '');
  const shared = findShared(yaml, document);
  if (shared) refuseAt(shared.range?.[0] ?? 0, 'anchors and aliases are not allowed');
  return {
    content: document.toJS({ maxAliasCount: 0 }) as unknown,
    refuse: (path, what, code) => refuseAt(offsetOf(yaml, document, path), what, code),
  };
};

/** Before anything is made of them: a small file can hold very many values, or very deep ones. */
const assertFewTokens = ({ Lexer }: typeof Yaml, text: string, name: string): void => {
  let [tokens, depth] = [0, 0];
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (tokens > maxTokens) throw new ConfigurationError('file-invalid', `${name} holds too many values`);
    if (depth > maxDepth) throw new ConfigurationError('file-invalid', `${name} is nested too deeply`);
  }
  // By its indentation, or by `- - - -`: the parser calls itself for each level.
  const isDeep = text
    .split('\n')
    .some((line) => (/^(?: |- |\? )*/.exec(line)?.[0].length ?? 0) > 4 * maxDepth && /^[ ]*[-?] /.test(line));
  if (isDeep) throw new ConfigurationError('file-invalid', `${name} is nested too deeply`);
};

const findShared = ({ isAlias, visit }: typeof Yaml, document: Document): Node | undefined => {
  let found: Node | undefined;
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node) && (node as { anchor?: string }).anchor === undefined) return undefined;
      found = node;
      return visit.BREAK;
    },
  });
  return found;
};

const offsetOf = ({ isMap, isSeq, isNode }: typeof Yaml, document: Document, path: FieldPath): number => {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isNode(key) && 'value' in key && key.value === step);
      if (!pair) return offset;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
};
