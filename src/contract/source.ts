import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document, LineCounter, Node, Scalar } from 'yaml';
import { CodedError } from '../errors/codedError.js';
import { fromPointerSegment } from '../lib/jsonPointer.js';
import { makeJsonPositions, type JsonPositions } from './files/jsonPositions.js';

const require = createRequire(import.meta.url);

let yamlLibrary: typeof Yaml | undefined;

/** Loaded when YAML is read: a start reads what the build has made of the contracts. */
const loadYaml = (): typeof Yaml => (yamlLibrary ??= require('yaml') as typeof Yaml);

/** A contract's file, read as YAML and not yet judged as a contract. */
export interface Source {
  /** As written, with its references. */
  readonly document: unknown;
  /**
   * Where a value stands; references and aliases are followed. A list or an object is where its name stands,
   * and what does not exist is where the last thing on the way to it does.
   */
  at(path: Path): Position;
  /**
   * From where to where in the text the address of the first server stands.
   * `undefined` unless it is a single value.
   */
  serverUrl(): TextRange | undefined;
  /** Every merge key (`<<: *headers`), with the text that it stands for. */
  mergeKeys(): TextEdit[];
  /** Why a reference, given with the object that has it, leads nowhere, in a contract of several files. */
  faultOf?(node: object): ContractError | undefined;
  /** A contract of several files as one, with this address of the server. */
  textFor?(serverUrl: string): string;
}

type TextRange = readonly [start: number, end: number];

/** Another text for a part of a text. */
export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
}

/** `edits` do not overlap. */
export const editText = (text: string, edits: readonly TextEdit[]): string =>
  edits
    .toSorted((one, other) => other.range[0] - one.range[0])
    .reduce((rest, { range, text: put }) => rest.slice(0, range[0]) + put + rest.slice(range[1]), text);

interface Step {
  readonly node: Node;
  /** Where a person would point to. */
  readonly offset: number;
}

/** Reads YAML or JSON. Throws a `ContractError` when it is invalid. */
export const readSource = (text: string, file: string): Source => {
  const document = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  return document === undefined ? readYaml(text, file) : makeJsonSource(document, text, file);
};

const makeJsonSource = (document: unknown, text: string, file: string): Source => {
  let positions: JsonPositions | undefined;
  const walkJson: JsonPositions['walk'] = (path) => (positions ??= makeJsonPositions(text)).walk(path);
  return {
    document,
    at: (path) => {
      const last = walkJson(toWrittenPath(document, path)).at(-1);
      const isParent = last !== undefined && '{['.includes(text[last.start] ?? '');
      return { file, ...lineAndColumn(text, (isParent ? last.nameOffset : last?.start) ?? 0) };
    },
    serverUrl: () => {
      const steps = walkJson(serverUrlPath);
      const last = steps.length > serverUrlPath.length ? steps.at(-1) : undefined;
      return last && typeof valueAt(document, serverUrlPath) === 'string'
        ? [last.start, last.end]
        : undefined;
    },
    mergeKeys: () => [],
  };
};

const lineAndColumn = (text: string, offset: number): Pick<Position, 'line' | 'column'> => {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
};

/** The path by which a value is written: without the references on the way to it. */
const toWrittenPath = (document: unknown, path: Path): Path => {
  let written: Path = [];
  for (const name of path) {
    const seen = new Set<string>();
    for (let reference = referenceAt(document, written); reference && name !== '$ref';) {
      const pointer = seen.has(reference) ? undefined : pointerOf(reference);
      if (!pointer) break;
      seen.add(reference);
      written = pointer;
      reference = referenceAt(document, written);
    }
    written = [...written, name];
  }
  return written;
};

const referenceAt = (document: unknown, path: Path): string | undefined => {
  const reference = valueAt(document, [...path, '$ref']);
  return typeof reference === 'string' ? reference : undefined;
};

const valueAt = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string | number, unknown>>)[name]
        : undefined,
    document,
  );

/**
 * A source whose document is known. YAML is read when a position is needed,
 * for an error or for `/openapi.yaml`.
 */
export const makeParsedSource = (document: unknown, text: string, file: string): Source => {
  let source: Source | undefined;
  const readOnce = (): Source => (source ??= readYaml(text, file));
  return {
    document,
    at: (path) => readOnce().at(path),
    serverUrl: () => readOnce().serverUrl(),
    mergeKeys: () => readOnce().mergeKeys(),
  };
};

/** JSON is YAML, too, but its own parser is many times faster. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * What aliases may expand to: many operations share their responses,
 * but a small file must not fill the memory.
 */
const maxAliasCount = 10_000;

const readYaml = (text: string, file: string): Source => {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, merge: true });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const [fault] = yaml.errors;
  // The rest of the message repeats the position and the line.
  if (fault) throw new ContractError(headline(fault.message), position(fault.pos[0]));
  const misused = findAliasFault(yaml);
  if (misused) throw new ContractError(misused.what, position(misused.offset));
  return {
    document: unshare(toValue(yaml, position(0))),
    at: (path) => position(walk(yaml, path).at(-1)?.offset ?? 0),
    serverUrl: () => rangeOf(yaml, serverUrlPath),
    mergeKeys: () => findMergeKeys(yaml, lines),
  };
};

/** The values of a document. Its aliases were looked at one by one; what is left concerns the whole file. */
const toValue = (yaml: Document, start: Position): unknown => {
  try {
    return yaml.toJS({ maxAliasCount });
  } catch (error) {
    throw new ContractError(headline((error as Error).message), start);
  }
};

/**
 * The first alias of an anchor that does not stand before it,
 * or merge key without an object; the parser accepts both.
 */
const findAliasFault = (yaml: Document): { readonly what: string; readonly offset: number } | undefined => {
  const { isAlias, isMap, isSeq, visit } = loadYaml();
  const anchors = new Map<string, Node>();
  const anchored = (node: unknown): unknown => (isAlias(node) ? anchors.get(node.source) : node);
  const isMergeable = (value: unknown): boolean => {
    const merged = anchored(value);
    return isMap(merged) || (isSeq(merged) && merged.items.every((item) => isMap(anchored(item))));
  };
  let found: { what: string; offset: number } | undefined;
  const fail = (what: string, node: Node, key?: Node): symbol => {
    found = { what, offset: (node.range ?? key?.range)?.[0] ?? 0 };
    return visit.BREAK;
  };
  visit(yaml, {
    Alias: (_, node) => {
      const known = [...anchors.keys()].map((name) => `*${name}`).join(', ');
      const hint = known === '' ? 'there is none before it' : `before it there are ${known}`;
      return anchors.has(node.source) ? undefined : fail(`there is no anchor &${node.source}: ${hint}`, node);
    },
    Node: (_, node) => {
      if (!isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Pair: (_, { key, value }) => {
      if (!isMergeKey(key) || isMergeable(value)) return undefined;
      // An alias of nothing is found as that, next.
      if (isAlias(value) && !anchors.has(value.source)) return undefined;
      return fail('<< needs an object, or a list of them', value as Node, key);
    },
  });
  return found;
};

const findMergeKeys = (yaml: Document, lines: LineCounter): TextEdit[] => {
  const { isAlias, isMap, isPair, visit } = loadYaml();
  const found: TextEdit[] = [];
  visit(yaml, {
    Map: (_, { items, flow }) => {
      for (const { key, value } of items) {
        if (!isMergeKey(key) || !isAlias(value) || !key.range || !value.range) continue;
        const merged = value.resolve(yaml);
        // A field of the object itself counts before a merged one.
        const own = new Set(items.map((item) => isPair(item) && String(item.key)));
        const fields = Object.entries(isMap(merged) ? (merged.toJS(yaml, { maxAliasCount }) as object) : {})
          .filter(([name]) => !own.has(name))
          .map(([name, field]) => `${JSON.stringify(name)}: ${JSON.stringify(field)}`);
        const indent = ' '.repeat(lines.linePos(key.range[0]).col - 1);
        const range = [key.range[0], value.range[1]] as const;
        found.push({ range, text: fields.join(flow === true ? ', ' : `\n${indent}`) });
      }
    },
  });
  return found;
};

const isMergeKey = (key: unknown): key is Scalar => loadYaml().isScalar(key) && key.source === '<<';

export const serverUrlPath: Path = ['servers', 0, 'url'];

const rangeOf = (yaml: Document, path: Path): TextRange | undefined => {
  const steps = walk(yaml, path);
  const last = steps.length > path.length ? steps.at(-1)?.node : undefined;
  return loadYaml().isScalar(last) && last.range ? [last.range[0], last.range[1]] : undefined;
};

/** A copy in which nothing is shared: what an alias stands for is the same object as what it refers to. */
const unshare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unshare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unshare(field)]));
};

const headline = (message: string): string =>
  (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');

/** The nodes on the way to a value, the document's first, as far as the way goes. */
const walk = (yaml: Document, path: Path): Step[] => {
  const start = yaml.contents;
  const steps: Step[] = start ? [{ node: start, offset: start.range?.[0] ?? 0 }] : [];
  for (const name of path) {
    const last = steps.at(-1);
    const next = last && step(yaml, followed(yaml, last.node, name), name);
    if (!next) break;
    steps.push(next);
  }
  return steps;
};

const step = (yaml: Document, node: Node | undefined, name: string | number): Step | undefined => {
  const { isMap, isScalar, isSeq } = loadYaml();
  const here = node && aliased(yaml, node);
  if (isSeq<Node>(here)) {
    const item = here.items[Number(name)];
    return item && { node: item, offset: item.range?.[0] ?? 0 };
  }
  if (!isMap<Node, Node | null>(here)) return undefined;
  const pair = here.items.find(({ key }) => isScalar(key) && String(key.value) === String(name));
  if (!pair) {
    const merged = here.items.find(({ key }) => isMergeKey(key))?.value;
    return merged ? step(yaml, merged, name) : undefined;
  }
  const value = pair.value ?? pair.key;
  const shown = isScalar(aliased(yaml, value)) ? value : pair.key;
  return { node: value, offset: shown.range?.[0] ?? 0 };
};

const aliased = (yaml: Document, node: Node): Node | undefined =>
  loadYaml().isAlias(node) ? node.resolve(yaml) : node;

/** The node itself, or what its `$ref` leads to, unless `$ref` is what is looked for. */
const followed = (yaml: Document, node: Node, name: string | number): Node | undefined => {
  const seen = new Set<Node | undefined>();
  let here = aliased(yaml, node);
  while (name !== '$ref' && loadYaml().isMap(here) && !seen.has(here)) {
    seen.add(here);
    const reference = here.get('$ref');
    const pointer = typeof reference === 'string' ? pointerOf(reference) : undefined;
    if (!pointer) break;
    let target: Node | undefined = yaml.contents as Node;
    for (const segment of pointer) target = step(yaml, target, segment)?.node;
    here = target && aliased(yaml, target);
  }
  return here;
};

/** A place in a contract's file; lines and columns count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A contract that can't be used; the message begins with the place. */
export class ContractError extends CodedError<'contract-invalid'> {
  override readonly name = 'ContractError';

  constructor(
    /** What is wrong, without the place. */
    readonly what: string,
    readonly position: Position,
  ) {
    super(
      'contract-invalid',
      `${position.file}:${String(position.line)}:${String(position.column)}: ${what}`,
      { kind: 'invalid' },
    );
  }
}

/** Names of fields and indexes of lists that lead to a value in a contract. */
export type Path = readonly (string | number)[];

/** Refuses a contract for what stands at a place. */
export type Refuse = (path: Path, what: string) => never;

/** `#/components/schemas/Order` as a path. `undefined` for what is no reference within the file. */
export const pointerOf = (reference: string): string[] | undefined =>
  reference.startsWith('#/')
    ? reference
        .slice(2)
        .split('/')
        .map((segment) => fromPointerSegment(decodeSegment(segment)))
    : undefined;

/** A pointer is part of an address: `%7B` is a brace. */
const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
