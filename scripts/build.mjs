import './tasks/nodeVersion.mjs';
import { build } from './tasks/build.mjs';
import { script } from './tasks/run.mjs';

await script(() => build({ force: true }));
