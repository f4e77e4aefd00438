// Makes the types of the contract and the documents of commands and settings, or with `--check` fails when they are old.
import './tasks/nodeVersion.mjs';
import { checkTypes, generateTypes } from './tasks/contract.mjs';
import { checkDocuments, writeDocuments } from './tasks/documents.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

printHelp(`npm run generate [-- --check]

Generates the types in generated/ from openapi.yaml and web.yaml, and parts of docs/configuration.md and
docs/command-line.md from the settings and commands.
  --check  only fails if they are out of date`);

await script(async () => {
  if (process.argv.includes('--check')) {
    await checkTypes();
    return checkDocuments();
  }
  await install();
  await generateTypes();
  return writeDocuments();
});
