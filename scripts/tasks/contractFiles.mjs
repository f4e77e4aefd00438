import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';

const require = createRequire(import.meta.url);

const references = (node, found = []) => {
  if (typeof node !== 'object' || node === null) return found;
  if (typeof node.$ref === 'string') found.push(node.$ref);
  for (const field of Object.values(node)) references(field, found);
  return found;
};

/** References begin with `#/` in most contracts, which need not be parsed for this. */
const mayReferToFiles = (text) => /\$ref['"]?\s*:\s*(?!['"]?#)/.test(text);

const decoded = (address) => {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

/**
 * The files in this folder that a contract consists of, itself first, also those that are missing: for those who watch
 * them. Whether references are allowed is for the program to tell.
 */
export const listContractFiles = (folder, contract) => {
  // Loaded only here: at the first set-up it is not installed yet when this file is loaded.
  const { parse } = require('yaml');
  const found = [contract];
  for (const file of found) {
    let text;
    try {
      text = readFileSync(`${folder}/${file}`, 'utf8');
    } catch {
      continue;
    }
    if (!mayReferToFiles(text)) continue;
    let document;
    try {
      document = parse(text, { merge: true, maxAliasCount: -1 });
    } catch {
      continue;
    }
    for (const reference of references(document)) {
      const [address] = reference.split('#');
      if (address === '' || /^[a-z][a-z\d+.-]*:/i.test(address)) continue;
      const path = posix.join(posix.dirname(file), decoded(address));
      if (!path.startsWith('../') && !posix.isAbsolute(path) && !found.includes(path)) found.push(path);
    }
  }
  return found;
};
