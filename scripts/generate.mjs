// Makes the types of the contract, or with `--check` fails when they do not follow it.
import './tasks/nodeVersion.mjs';
import { checkTypes, generateTypes } from './tasks/contract.mjs';
import { script } from './tasks/run.mjs';

await script(() => (process.argv.includes('--check') ? checkTypes() : generateTypes()));
