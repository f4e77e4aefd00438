// Makes a checkout ready to run: packages and a build. Does nothing when all is current.
import './tasks/nodeVersion.mjs';
import { script } from './tasks/run.mjs';
import { setUp } from './tasks/setUp.mjs';

await script(setUp.program);
