// `npm run build`: builds the program and the pages, also when they are current.
import './tasks/nodeVersion.mjs';
import { build } from './tasks/build.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

printHelp(`npm run build

Builds the program and the web UI into dist/, even if they are current.`);

await script(async () => {
  await install();
  await build({ force: true });
});
