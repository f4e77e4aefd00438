import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import {
  makeContractFiles,
  makeReadContractFile,
  shortened,
  type ContractFile,
  type FilePlace,
  type ReadContractFile,
  type ReferenceTarget,
} from './contractFiles.js';
import { isObject } from '../document.js';
import { componentSections, shapeOfField, type Kind, type Shape } from '../documentShape.js';
import { ContractError, pointerOf, readSource, type Path, type Source } from '../source.js';

const require = createRequire(import.meta.url);

type Fields = Record<string, unknown>;

/**
 * Reads a contract. Of one that is written in several files it makes one document, whose references stay
 * within it: what they lead to becomes a component, or stands in their place where there are no components of
 * its kind. Libraries that bundle contracts lose the places in the files, which errors name.
 */
export const readContractSource = (
  text: string,
  name: string,
  read: ReadContractFile = makeReadContractFile(name),
): Source => {
  const source = readSource(text, name);
  return hasFileReference(source.document) ? bundle(source, name, read) : source;
};

/** Does something refer to another file, or to an address? */
export const hasFileReference = (node: unknown): boolean => {
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const reference = referenceOf(next);
    if (reference !== undefined && !reference.startsWith('#')) return true;
    for (const field of Object.values(next)) open.push(field);
  }
  return false;
};

const referenceOf = (node: object): string | undefined =>
  '$ref' in node && typeof node.$ref === 'string' ? node.$ref : undefined;

const isContainer = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Only homes of anchors, whose contents stand where they are used. */
const anchorHomes = ['x-responses', 'x-response-headers'];

/** What tells a target of references from others. */
const keyOf = (section: string, { file, path }: FilePlace): string =>
  JSON.stringify([section, file.path, ...path]);

const bundle = (source: Source, name: string, read: ReadContractFile): Source => {
  const files = makeContractFiles(source, name, read);
  const { main } = files;
  /** Where the objects and lists of the bundle stand in the files. */
  const places = new WeakMap<object, FilePlace>();
  const faults = new WeakMap<object, ContractError>();
  const { components, added, referenceTo, addWritten, copyPending } = makeComponents({
    files,
    places,
    copy: (node, place, shape) => copy(node, place, shape),
  });
  const inlined: string[] = [];

  const inline = (target: ReferenceTarget, shape: Shape, refuse: (what: string) => never): unknown => {
    const key = keyOf('', target);
    if (inlined.includes(key)) refuse('leads back to itself');
    inlined.push(key);
    try {
      return copy(target.value, target, shape);
    } finally {
      inlined.pop();
    }
  };

  const copyReference = (node: Fields, reference: string, place: FilePlace, shape: Shape): unknown => {
    const { $ref: _reference, ...siblings } = node;
    const refuse = (what: string): never => {
      throw new ContractError(
        `$ref "${shortened(reference)}" ${what}`,
        place.file.source.at([...place.path, '$ref']),
      );
    };
    const target = files.follow(reference, place);
    const section = shape.form === 'one' ? componentSections[shape.kind] : undefined;
    if (section !== undefined)
      return copyFields(node, place, (field, value) =>
        field === '$ref' ? referenceTo(target, section, shape) : copyField(field, value, place, shape),
      );
    if (Object.keys(siblings).length > 0)
      refuse('leads to another file, so nothing else may stand beside it here');
    return inline(target, shape, refuse);
  };

  const copyFields = (
    node: Fields,
    place: FilePlace,
    change: (name: string, value: unknown) => unknown,
  ): unknown => {
    const made = Array.isArray(node)
      ? node.map((item: unknown, index) => change(String(index), item))
      : Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(name, value)]));
    places.set(made, place);
    return made;
  };

  const copyField = (name: string, value: unknown, { file, path }: FilePlace, shape: Shape): unknown => {
    const below = { file, path: [...path, name] };
    if (shape.kind === 'discriminator' && name === 'mapping' && isObject(value))
      return copyFields(value, below, (_, variant) => mappedTo(variant, below));
    return copy(value, below, shapeOfField(shape, name));
  };

  /** A variant that is named by its file. */
  const mappedTo = (variant: unknown, place: FilePlace): unknown => {
    if (typeof variant !== 'string' || !/[/#]|\.(ya?ml|json)$/.test(variant)) return variant;
    try {
      return referenceTo(files.follow(variant, place), 'schemas', { form: 'one', kind: 'schema' });
    } catch {
      // Checked with the schema that has it.
      return variant;
    }
  };

  const copy = (node: unknown, place: FilePlace, shape: Shape): unknown => {
    if (!isContainer(node)) return node;
    const reference = referenceOf(node);
    const staysInMain = place.file === main && reference?.startsWith('#') === true;
    if (reference === undefined || staysInMain)
      return copyFields(node, place, (name, value) => copyField(name, value, place, shape));
    try {
      return copyReference(node, reference, place, shape);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      // It matters where something that is served has it.
      const kept = { ...node };
      places.set(kept, place);
      faults.set(kept, error);
      return kept;
    }
  };

  const { components: written, ...rest } = source.document as Fields;
  const start: FilePlace = { file: main, path: [] };
  addWritten(written, { file: main, path: ['components'] });
  const head = Object.fromEntries(Object.entries(rest).filter(([field]) => !anchorHomes.includes(field)));
  const document = copyFields(head, start, (field, value) =>
    copyField(field, value, start, { form: 'one', kind: 'document' }),
  ) as Fields;
  copyPending();
  if (Object.keys(components).length > 0) document['components'] = components;
  for (const part of [...Object.values(document), ...Object.values(components)]) {
    const fault = isContainer(part) ? faults.get(part) : undefined;
    if (fault) throw fault;
  }
  return {
    document,
    at: makeLocate(document, components, main, places, added),
    faultOf: (node) => faults.get(node),
    textFor: (address) => textOf(document, address),
    serverUrl: source.serverUrl,
    mergeKeys: source.mergeKeys,
  };
};

interface ComponentsDeps {
  readonly files: ReturnType<typeof makeContractFiles>;
  /** Where the objects and lists of the bundle stand in the files. */
  readonly places: WeakMap<object, FilePlace>;
  copy(node: unknown, place: FilePlace, shape: Shape): unknown;
}

/** The components of a bundle: those of the main file, and what of other files has become one. */
const makeComponents = ({ files, places, copy }: ComponentsDeps) => {
  const { main } = files;
  /** Targets of references → the components that they have become. */
  const names = new Map<string, string>();
  /** Components that stand in other files, by section. */
  const added = new Map<string, Map<string, FilePlace>>();
  const components: Record<string, Fields> = {};
  const pending: (() => void)[] = [];

  const fieldsOf = (section: string): Fields => (components[section] ??= {});

  const addComponent = (section: string, component: string, shape: Shape, target: ReferenceTarget): void => {
    names.set(keyOf(section, target), component);
    const sectionPlaces = added.get(section) ?? new Map<string, FilePlace>();
    added.set(section, sectionPlaces.set(component, target));
    const fields = fieldsOf(section);
    fields[component] = undefined;
    pending.push(() => (fields[component] = copy(target.value, target, shape)));
  };

  /** The reference that takes the place of one to another file. */
  const referenceTo = (target: ReferenceTarget, section: string, shape: Shape): string => {
    if (target.file === main) return `#${target.path.map((segment) => `/${escape(segment)}`).join('')}`;
    const key = keyOf(section, target);
    if (!names.has(key))
      addComponent(section, freeName(target, Object.keys(components[section] ?? {})), shape, target);
    return `#/components/${section}/${names.get(key) ?? ''}`;
  };

  /** Where something really stands, when it is only a reference to another file. */
  const settle = (
    value: unknown,
    place: FilePlace,
    steps = 20,
  ): FilePlace & { value: unknown; path: string[] } => {
    const here = { ...place, path: place.path.map(String), value };
    const reference = isObject(value) && Object.keys(value).length === 1 ? referenceOf(value) : undefined;
    if (reference === undefined || reference.startsWith('#') || steps === 0) return here;
    try {
      const target = files.follow(reference, place);
      return settle(target.value, target, steps - 1);
    } catch {
      // Found again, and refused, when it is copied.
      return here;
    }
  };

  /** The components of the main file keep their names, also those that it has only references for. */
  const addWritten = (written: unknown, place: FilePlace): void => {
    const whole = settle(written, place);
    if (!isObject(whole.value)) return;
    places.set(components, whole);
    for (const [section, given] of Object.entries(whole.value)) {
      const shape = shapeOfField({ form: 'one', kind: 'components' }, section);
      const found = settle(given, { file: whole.file, path: [...whole.path, section] });
      if (shape.form !== 'map' || !isObject(found.value)) {
        (components as Fields)[section] = copy(found.value, found, shape);
        continue;
      }
      const fields = fieldsOf(section);
      places.set(fields, found);
      for (const component of Object.keys(found.value)) fields[component] = undefined;
      for (const [component, value] of Object.entries(found.value))
        claim(section, component, value, { file: found.file, path: [...found.path, component] }, shape.kind);
    }
  };

  const claim = (section: string, component: string, value: unknown, place: FilePlace, kind: Kind): void => {
    const shape: Shape = { form: 'one', kind };
    if (place.file !== main) names.set(keyOf(section, place), component);
    const target = settle(value, place, 1);
    const isElsewhere = target.file !== main && target.file !== place.file;
    if (isElsewhere && !names.has(keyOf(section, target))) addComponent(section, component, shape, target);
    else pending.push(() => (fieldsOf(section)[component] = copy(value, place, shape)));
  };

  return {
    components,
    added,
    referenceTo,
    addWritten,
    /** Copies what has only a name so far, and what that refers to. */
    copyPending: (): void => {
      for (let next = pending.shift(); next; next = pending.shift()) next();
    },
  };
};

const escape = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/** After the last name of the pointer, or the file; with a number where there is one of this name already. */
const freeName = ({ file, path }: ReferenceTarget, taken: readonly string[]): string => {
  const last =
    path.at(-1) ??
    file.path
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '');
  const wanted = last?.replaceAll(/[^\w.-]+/g, '_').slice(0, 100) || 'part';
  for (let number = 2, name = wanted; ; number += 1) {
    if (!taken.includes(name)) return name;
    name = `${wanted}_${String(number)}`;
  }
};

/** Where a value of the bundle stands in the files; references are followed. */
const makeLocate = (
  document: Fields,
  components: Record<string, Fields>,
  main: ContractFile,
  places: WeakMap<object, FilePlace>,
  added: ReadonlyMap<string, ReadonlyMap<string, FilePlace>>,
): Source['at'] => {
  const sectionOf = (node: unknown): string | undefined =>
    Object.keys(components).find((section) => components[section] === node);
  const followed = (node: unknown): unknown => {
    const seen = new Set<unknown>();
    let here = node;
    while (isContainer(here) && !seen.has(here)) {
      seen.add(here);
      const pointer = pointerOf(referenceOf(here) ?? '');
      if (!pointer) break;
      here = pointer.reduce<unknown>(
        (inside, name) => (isContainer(inside) ? inside[name] : undefined),
        document,
      );
    }
    return here;
  };
  return (path: Path) => {
    let node: unknown = document;
    let place: FilePlace = { file: main, path: [] };
    for (const name of path) {
      const here = name === '$ref' ? node : followed(node);
      if (!isContainer(here)) break;
      const { file, path: above } = places.get(here) ?? place;
      const section = sectionOf(here);
      place = (section === undefined ? undefined : added.get(section)?.get(String(name))) ?? {
        file,
        path: [...above, name],
      };
      node = here[name];
    }
    return place.file.source.at(place.path);
  };
};

/** As YAML, with the address of the server that serves it. */
const textOf = (document: Fields, address: string): string => {
  const { stringify } = require('yaml') as typeof Yaml;
  const { servers } = document;
  const [first, ...others] = Array.isArray(servers) ? (servers as unknown[]) : [];
  // The address has no variables.
  const { variables: _variables, ...rest } = isObject(first) ? first : {};
  const server = { ...rest, url: address };
  return stringify(
    { ...document, servers: [server, ...others] },
    { aliasDuplicateObjects: false, lineWidth: 0 },
  );
};
