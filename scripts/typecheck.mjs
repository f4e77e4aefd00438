// `npm run typecheck`: the types of the sources, the tests and the pages.
import './tasks/nodeVersion.mjs';
import { checks, inOrder } from './tasks/checks.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

printHelp(`npm run typecheck

Checks the types of the sources, the tests and the web UI.`);

const names = ['types', 'types of the pages'];

await script(async () => {
  await install({ tools: true });
  await inOrder(Object.fromEntries(names.map((name) => [name, checks[name]])));
});
