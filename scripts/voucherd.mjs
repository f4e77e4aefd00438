#!/bin/sh
//usr/bin/env true && exec node --max-semi-space-size=4 --heap-growing-percent=50 "$0" "$@"
// A shell runs the line above; for JavaScript it is a comment. The `env` of Alpine has no -S, so a first line that
// starts node itself can't hold flags. `nodeFlags` in tasks/program.mjs says what they are for.
import './tasks/nodeVersion.mjs';
import { loadProgram } from './tasks/program.mjs';

const program = await loadProgram();

if (program) {
  process.exitCode = await program.main(process.argv.slice(2));
} else {
  console.error('voucherd is not built yet: run `npm run build`.');
  process.exitCode = 1;
}
