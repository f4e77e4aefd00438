import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, posix, resolve, sep } from 'node:path';
import { ContractError, pointerOf, readSource, type Path, type Source } from '../source.js';
import { CodedError } from '../../errors/codedError.js';

/** One of the files that a contract is written in. */
export interface ContractFile {
  /** Below the folder of the contract, with slashes. */
  readonly path: string;
  readonly source: Source;
}

/** A place in one of the files. */
export interface FilePlace {
  readonly file: ContractFile;
  readonly path: Path;
}

/** What a reference leads to. */
export interface ReferenceTarget extends FilePlace {
  readonly path: string[];
  readonly value: unknown;
}

/** Reads a file of a contract, by its path below the contract's folder. Throws when there is none. */
export type ReadContractFile = (path: string) => string;

/** Reads from the folder of a contract. A link in it may not lead out of it. */
export const makeReadContractFile = (contractFile: string): ReadContractFile => {
  const folder = resolve(dirname(contractFile));
  return (path) => {
    const real = realpathSync(resolve(folder, path));
    const top = realpathSync(folder);
    if (!real.startsWith(top.endsWith(sep) ? top : top + sep)) throw new LeadsOutside();
    // A pipe would be waited for.
    if (!statSync(real).isFile()) throw new Error('it is not a file');
    return readFileSync(real, 'utf8');
  };
};

/** A reference leads to a file beyond the folder of the contract. */
class LeadsOutside extends CodedError<'leads-outside'> {
  override readonly name = 'LeadsOutside';

  constructor() {
    super('leads-outside', 'it leads out of the folder of the contract', { kind: 'invalid' });
  }
}

export interface ContractFiles {
  readonly main: ContractFile;
  /**
   * What a reference at a place leads to. Throws a `ContractError`
   * at this place, or in the file that can't be read.
   */
  follow(reference: string, place: FilePlace): ReferenceTarget;
}

/** The files of a contract, each read once, when something refers to it. */
export const makeContractFiles = (source: Source, name: string, read: ReadContractFile): ContractFiles => {
  const main: ContractFile = { path: basename(name), source };
  const known = new Map([[main.path, main]]);
  const nameOf = (path: string): string => name.slice(0, name.length - main.path.length) + path;

  const fileAt = (path: string, refuse: (what: string) => never): ContractFile => {
    const found = known.get(path);
    if (found) return found;
    const file = { path, source: readSource(readOr(refuse, path, read), nameOf(path)) };
    known.set(path, file);
    return file;
  };

  return {
    main,
    follow: (reference, { file, path }) => {
      const refuse = (what: string): never => {
        throw new ContractError(`$ref "${shortened(reference)}" ${what}`, file.source.at([...path, '$ref']));
      };
      const [address = '', ...rest] = reference.split('#');
      const fragment = rest.join('#');
      const target = address === '' ? file : fileAt(pathOf(address, file, refuse), refuse);
      const pointer = fragment === '' ? [] : pointerOf(`#${fragment}`);
      if (!pointer) return refuse('must have a path that begins with / after the #');
      const value = pointer.reduce<unknown>(fieldOf, target.source.document);
      if (value === undefined) return refuse('leads to nothing');
      return { file: target, path: pointer, value };
    },
  };
};

/** The path of a file below the folder of the contract. */
const pathOf = (address: string, from: ContractFile, refuse: (what: string) => never): string => {
  if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(address))
    return refuse('is an address: references lead to files in the folder of the contract');
  const decoded = decode(address);
  const path = posix.join(posix.dirname(from.path), decoded);
  if (posix.isAbsolute(decoded) || path.split('/')[0] === '..')
    return refuse('leads out of the folder of the contract');
  return path;
};

/** A reference is an address: `%20` is a blank. */
const decode = (address: string): string => {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

const readOr = (refuse: (what: string) => never, path: string, read: ReadContractFile): string => {
  try {
    return read(path);
  } catch (error) {
    if (error instanceof LeadsOutside) return refuse('leads out of the folder of the contract');
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return refuse(isMissing ? 'leads to a file that is missing' : `can't be read: ${code ?? message}`);
  }
};

const fieldOf = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, name)
    ? (node as Record<string, unknown>)[name]
    : undefined;

/** A text of a contract as a message has it: long enough to be found. */
export const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
