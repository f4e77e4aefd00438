// `npm run build`: builds the program and the pages, also when they are current.
import './tasks/nodeVersion.mjs';
import { build } from './tasks/build.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

await script(async () => {
  await install();
  await build({ force: true });
});
