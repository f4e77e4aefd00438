#!/usr/bin/env node
import './tasks/nodeVersion.mjs';
import { findProgram } from './tasks/program.mjs';

const program = findProgram();

if (program) {
  const { main } = await import(program.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  console.error('voucherd is not built yet: run `npm run build`.');
  process.exitCode = 1;
}
