#!/usr/bin/env node
import './tasks/nodeVersion.mjs';
import { existsSync } from 'node:fs';

const program = new URL('../dist/simulators/main.js', import.meta.url);

if (existsSync(program)) {
  const { runSimulator } = await import(program.href);
  process.exitCode = await runSimulator(process.argv.slice(2));
} else {
  console.error('voucherd-simulator is not built yet: run `npm run build`.');
  process.exitCode = 1;
}
