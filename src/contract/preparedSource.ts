import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { packageRoot } from '../lib/packageRoot.js';
import { readSource, type Source } from './source.js';

/** What a contract's text says, as JSON: the YAML parser takes a tenth of a start. */
interface PreparedSource extends Pick<Source, 'document' | 'serverUrl'> {
  /** Of the text, so that one that was changed since is read anew. */
  readonly sha256: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** For the build, which writes it to `dist/contract.json`. `undefined` for values that JSON does not have. */
export const prepareSource = (text: string): string | undefined => {
  const { document, serverUrl } = readSource(text, 'openapi.yaml');
  const prepared: PreparedSource = { sha256: sha256(text), document, serverUrl };
  const json = JSON.stringify(prepared);
  return isDeepStrictEqual(JSON.parse(json), prepared) ? json : undefined;
};

/** What the build has prepared of this text. `undefined` if it has nothing, or prepared another text. */
export const loadPreparedSource = (text: string, file: string): Source | undefined => {
  let prepared: PreparedSource;
  try {
    prepared = JSON.parse(readFileSync(join(packageRoot, 'dist/contract.json'), 'utf8')) as PreparedSource;
  } catch {
    return undefined;
  }
  if (prepared.sha256 !== sha256(text)) return undefined;
  const { document, serverUrl } = prepared;
  // Only messages about errors need positions, and only /openapi.yaml the merge keys.
  let source: Source | undefined;
  const readOnce = (): Source => (source ??= readSource(text, file));
  return {
    document,
    serverUrl,
    at: (path) => readOnce().at(path),
    mergeKeys: () => readOnce().mergeKeys(),
  };
};
