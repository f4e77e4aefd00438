import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { packageRoot } from '../lib/packageRoot.js';
import { hasFileReference } from './files/bundle.js';
import { makeParsedSource, readSource, type Source } from './source.js';

/** What a contract's text says, as JSON: the YAML parser takes a tenth of a start. */
interface PreparedSource extends Pick<Source, 'document'> {
  /** Of the text, so that a text that has changed is read again. */
  readonly sha256: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * For the build, which writes it to `dist/openapi.json` and `dist/web.json` when it has checked the contract.
 * `undefined` for values that JSON does not have, and for a contract of several files.
 */
export const prepareSource = (text: string): string | undefined => {
  const { document } = readSource(text, 'openapi.yaml');
  // Its other files may change without it.
  if (hasFileReference(document)) return undefined;
  const prepared: PreparedSource = { sha256: sha256(text), document };
  const json = JSON.stringify(prepared);
  return isDeepStrictEqual(JSON.parse(json), prepared) ? json : undefined;
};

/** What the build has prepared of this text. `undefined` if it has nothing, or prepared another text. */
export const loadPreparedSource = (text: string, file: string): Source | undefined => {
  try {
    const json = readFileSync(join(packageRoot, 'dist', `${basename(file, '.yaml')}.json`), 'utf8');
    const prepared = JSON.parse(json) as PreparedSource;
    return prepared.sha256 === sha256(text) ? makeParsedSource(prepared.document, text, file) : undefined;
  } catch {
    return undefined;
  }
};
