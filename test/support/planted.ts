import { expect } from '@jest/globals';

/** Every secret that a test has given to the service, and what it was told to send along: cookies, tokens. */
const planted = new Set<() => readonly string[]>();
/** Too short to tell from other text. */
const shortest = 8;

/** From here on nobody may read these in a log line, an error or an answer. */
export const plant = (secrets: readonly string[] | (() => readonly string[])): void => {
  planted.add(typeof secrets === 'function' ? secrets : () => secrets);
};

/** Which of the planted secrets are in this text? As they are, and as JSON, a URL or base64 would have them. */
export const leaksIn = (text: string): string[] =>
  [...planted]
    .flatMap((secrets) => secrets())
    .filter((secret) => secret.length >= shortest)
    .filter((secret) => formsOf(secret).some((form) => text.includes(form)));

export const expectNoLeak = (texts: readonly string[]): void => {
  expect(leaksIn(texts.join('\n'))).toEqual([]);
};

const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];
