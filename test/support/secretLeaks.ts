import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { root } from './built.js';

/** Every secret that a test has given to the service, and what it was told to send along: cookies, tokens. */
const planted = new Map<() => readonly string[], string | undefined>();
/** Test files may share a process, and each plants its own. */
const testFile = (): string | undefined => expect.getState().testPath;
/** Too short to tell from other text. */
const shortest = 8;
/** What any stack trace may show: the checkout's path, and the name that most people give to its folder. */
const inEveryTrace = `${root} voucherd`;

/** A secret to plant: random, so that it is nowhere by chance. */
export const randomSecret = (): string => `geheim${randomBytes(16).toString('hex')}`;

/** From here on nobody may read these in a log line, an error or an answer. */
export const plantSecrets = (secrets: readonly string[] | (() => readonly string[])): void => {
  planted.set(typeof secrets === 'function' ? secrets : () => secrets, testFile());
};

/** Which of the planted secrets are in this text? As they are, and as JSON, a URL or base64 would have them. */
export const leaksIn = (text: string): string[] => {
  const secrets = [...planted]
    .flatMap(([some, file]) => (file === testFile() ? some() : []))
    .filter((secret) => secret.length >= shortest);
  const guessable = secrets.find((secret) => inEveryTrace.includes(secret));
  if (guessable !== undefined) throw new Error(`"${guessable}" is no secret: plant only what is random`);
  return secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
};

export const expectNoLeak = (texts: readonly string[]): void => {
  expect(leaksIn(texts.join('\n'))).toEqual([]);
};

const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];
