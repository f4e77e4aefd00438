// Makes a checkout ready for `npm run contract`: packages and build. It does not make the types of the contract anew:
// whether those that are committed follow the contract is what the run finds out.
import '../tasks/nodeVersion.mjs';
import { buildAnyway } from '../dev/compiler.mjs';
import { install } from '../tasks/install.mjs';
import { script } from '../tasks/run.mjs';

await script(async () => {
  await install({ tools: true });
  // Whoever designs may ask about a contract that the code does not follow yet.
  await buildAnyway();
});
