// Makes the types of the contract, or with `--check` fails when they do not follow it.
import './tasks/nodeVersion.mjs';
import { checkTypes, generateTypes } from './tasks/contract.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

await script(async () => {
  if (process.argv.includes('--check')) return checkTypes();
  await install();
  return generateTypes();
});
