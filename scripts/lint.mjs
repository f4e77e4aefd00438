// `npm run lint`: the contracts, the sources and their format, without types and tests.
import './tasks/nodeVersion.mjs';
import { checks, sideBySide } from './tasks/checks.mjs';
import { printHelp } from './tasks/help.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

printHelp(`npm run lint

Checks the contracts, the sources and their format.`);

await script(async () => {
  await install({ tools: true });
  const { lint, format, contract } = checks;
  await sideBySide({ lint, format, contract });
});
