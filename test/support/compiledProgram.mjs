// The program as the compiler wrote it, a file for each source.
import { main } from '../../dist/src/main.js';

process.exitCode = await main(process.argv.slice(2));
