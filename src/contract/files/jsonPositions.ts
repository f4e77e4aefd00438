import { createRequire } from 'node:module';
import type * as JsoncParser from 'jsonc-parser';

const require = createRequire(import.meta.url);

/** A value of a JSON text. */
interface Member {
  /** Of its name, or of the value itself in a list. */
  readonly nameOffset: number;
  readonly start: number;
  readonly end: number;
}

/** Finds values in a text of JSON that is known to be valid. */
export interface JsonPositions {
  /** The values on the way to the one at a path, the outermost first, as far as the way goes. */
  walk(path: readonly (string | number)[]): Member[];
}

/**
 * Reads of the text only the lists and objects on the way to a value, and each of them once.
 * A tree of all values would take many times the memory of the text, which may have 13 MB.
 */
export const makeJsonPositions = (text: string): JsonPositions => {
  const { createScanner } = require('jsonc-parser') as typeof JsoncParser;
  const scanner = createScanner(text, true);
  const known = new Map<number, ReadonlyMap<string, Member>>();

  /** The first character of the next token, which tells what it is. */
  const next = (): string => {
    scanner.scan();
    return text[scanner.getTokenOffset()] ?? '';
  };

  /** Goes to the end of the value that begins with the token that was read last. */
  const skipValue = (): number => {
    let depth = 0;
    for (let token = text[scanner.getTokenOffset()] ?? ''; ; token = next()) {
      if ('{['.includes(token)) depth += 1;
      if (']}'.includes(token)) depth -= 1;
      if (depth === 0) return scanner.getPosition();
    }
  };

  const readMembers = (offset: number): ReadonlyMap<string, Member> => {
    const members = new Map<string, Member>();
    scanner.setPosition(offset);
    const opening = next();
    if (!'{['.includes(opening)) return members;
    for (let token = next(); !']}'.includes(token); token = next()) {
      if (token === ',') continue;
      const nameOffset = scanner.getTokenOffset();
      const name = opening === '{' ? scanner.getTokenValue() : String(members.size);
      if (opening === '{') {
        scanner.scan(); // the colon
        scanner.scan();
      }
      members.set(name, { nameOffset, start: scanner.getTokenOffset(), end: skipValue() });
    }
    return members;
  };

  const membersOf = (offset: number): ReadonlyMap<string, Member> => {
    const members = known.get(offset) ?? readMembers(offset);
    known.set(offset, members);
    return members;
  };

  return {
    walk: (path) => {
      const start = text.search(/\S/);
      const steps: Member[] = [{ nameOffset: start, start, end: text.length }];
      for (const name of path) {
        const member = membersOf(steps.at(-1)?.start ?? start).get(String(name));
        if (!member) break;
        steps.push(member);
      }
      return steps;
    },
  };
};
