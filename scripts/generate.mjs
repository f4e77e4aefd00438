// Makes the types of the contract, or with `--check` fails when they do not follow it.
import './tasks/nodeVersion.mjs';
import { checkTypes, generateTypes } from './tasks/contract.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

printHelp(`npm run generate [-- --check]

Generates the types in generated/ from openapi.yaml and web.yaml.
  --check  only fails if they are out of date`);

await script(async () => {
  if (process.argv.includes('--check')) return checkTypes();
  await install();
  return generateTypes();
});
