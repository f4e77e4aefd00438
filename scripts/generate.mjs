// Makes the types of the contract and the documents of commands and settings, or with `--check` fails when they are old.
import './tasks/nodeVersion.mjs';
import { check, makeDocuments, makeTypes, write } from './tasks/generated.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

printHelp(`npm run generate [-- --check]

Generates the types in generated/ from openapi.yaml and web.yaml, and parts of docs/configuration.md and
docs/command-line.md from the settings and commands.
  --check  only fails if they are out of date`);

await script(async () => {
  const isCheck = process.argv.includes('--check');
  if (!isCheck) await install();
  (isCheck ? check : write)({ ...(await makeTypes()), ...(await makeDocuments()) });
});
