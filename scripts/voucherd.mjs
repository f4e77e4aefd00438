#!/usr/bin/env node
import './tasks/nodeVersion.mjs';
import { loadProgram } from './tasks/program.mjs';

const argv = process.argv.slice(2);
const program = await loadProgram(argv);

if (program) {
  process.exitCode = await program.main(argv);
} else {
  console.error('voucherd is not built yet: run `npm run build`.');
  process.exitCode = 1;
}
