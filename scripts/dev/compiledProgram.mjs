// The program as the compiler wrote it, a module for each source, and not the bundle of the last build.
import { compiled } from '../tasks/program.mjs';

const { main } = await import(compiled.href);
process.exitCode = await main(process.argv.slice(2));
