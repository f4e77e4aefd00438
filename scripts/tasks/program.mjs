import { existsSync } from 'node:fs';

/** The compiler's output. */
export const compiled = new URL('../../dist/src/main.js', import.meta.url);
const bundled = new URL('../../dist/program/main.js', import.meta.url);

/** The folder of the program in a few files, together with the packages that it uses: it starts faster. */
export const bundle = new URL('.', bundled);

/** The module of the built program. In development there is no bundle. */
export const findProgram = () => [bundled, compiled].find(existsSync);
