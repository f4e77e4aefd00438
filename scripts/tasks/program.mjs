import { existsSync } from 'node:fs';

const compiled = new URL('../../dist/src/main.js', import.meta.url);
const bundled = new URL('../../dist/program/main.js', import.meta.url);

/** The folder of the program in a few files, together with the packages that it uses: it starts faster. */
export const bundle = new URL('.', bundled);

/** The module of the built program. Without a bundle it is the compiler's output, as in development. */
export const findProgram = () => [bundled, compiled].find(existsSync);
