import { readFileSync } from 'node:fs';
import { BaseResolver, ResolveError, Source } from 'redocly-core';

/**
 * Reads the files that a contract refers to for Redocly, which believes that the folder of the contract is the root of
 * the file system: it takes `#` in a path for the start of a fragment. Nothing is loaded from elsewhere.
 */
export class FolderResolver extends BaseResolver {
  #folder;

  constructor(folder) {
    super();
    this.#folder = folder;
  }

  async loadExternalRef(address) {
    try {
      if (!address.startsWith('/')) throw new Error('is an address');
      return new Source(address, readFileSync(`${this.#folder}${address}`, 'utf8'));
    } catch (error) {
      throw new ResolveError(error);
    }
  }
}

/** The same file as a person calls it: Redocly's `/schemas/site.yaml` is `schemas/site.yaml`. */
export const fileOf = ({ absoluteRef }) => absoluteRef.slice(1);
