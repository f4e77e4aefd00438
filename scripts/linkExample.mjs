// Lets an example of this checkout import `voucherd`, as if it were installed there: builds it, and links the checkout.
import './tasks/nodeVersion.mjs';
import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from './tasks/build.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { root, script } from './tasks/run.mjs';

printHelp(`node ../../scripts/linkExample.mjs

In the folder of an example: installs and builds voucherd, and links it into node_modules. npm start and npm test do it.`);

const isLinked = (link, target) => {
  try {
    return readlinkSync(link) === target;
  } catch {
    return false;
  }
};

await script(async () => {
  const packages = join(process.cwd(), 'node_modules');
  await install();
  await build();
  const [link, target] = [join(packages, 'voucherd'), relative(packages, root)];
  if (isLinked(link, target)) return;
  mkdirSync(packages, { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link, 'dir');
});
