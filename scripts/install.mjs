// Installs what running and building need, with `--tools` everything. Does nothing when all is current.
import './tasks/nodeVersion.mjs';
import { install } from './tasks/install.mjs';
import { script } from './tasks/run.mjs';

await script(() => install({ tools: process.argv.includes('--tools') }));
