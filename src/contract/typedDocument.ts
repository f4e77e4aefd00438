import { readContractSource } from './bundle.js';
import { expandDiscriminators } from './discriminators.js';
import { isObject } from './document.js';
import type { Source } from './source.js';

/**
 * The contract as types are made of it: what a discriminator chooses from are alternatives that differ in its field, so a
 * handler that has looked at the field has the type of one of them.
 */
export const typedDocument = (source: Pick<Source, 'document' | 'at'>): unknown => {
  const { document } = expandDiscriminators(source, false);
  return document === source.document ? document : withoutDiscriminators(document);
};

/** The same of a contract in one file or several. */
export const readTypedDocument = (text: string, file: string): unknown =>
  typedDocument(readContractSource(text, file));

/** The generator would write the field into the schemas themselves, once for all discriminators that choose them. */
const withoutDiscriminators = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutDiscriminators);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(
        ([name, value]) => name !== 'discriminator' || !isObject(value) || !Array.isArray(node['oneOf']),
      )
      .map(([name, value]) => [name, withoutDiscriminators(value)]),
  );
};
