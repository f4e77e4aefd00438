// `node scripts/supervise.mjs <script> [arguments]`: runs a script with this Node. When this process ends, or npm that
// started it, the script ends, and with it everything that it has started.
import './tasks/nodeVersion.mjs';
import { runShown, script } from './tasks/run.mjs';

await script(() => runShown(process.execPath, process.argv.slice(2)));
