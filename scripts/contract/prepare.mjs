// Makes a checkout ready for `npm run contract`: packages and build. It does not make the types of the contract anew:
// whether those that are committed follow the contract is what the run finds out.
import '../tasks/nodeVersion.mjs';
import { build } from '../tasks/build.mjs';
import { install } from '../tasks/install.mjs';
import { script } from '../tasks/run.mjs';

await script(async () => {
  await install({ tools: true });
  await build();
});
