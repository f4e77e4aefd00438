// Makes a checkout ready to run: packages, types of the contract, build. Does nothing when all is current.
import './tasks/nodeVersion.mjs';
import { build } from './tasks/build.mjs';
import { generateWhenStale } from './tasks/contract.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

await script(async () => {
  await install();
  await generateWhenStale();
  await build();
});
