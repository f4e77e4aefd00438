// `node scripts/supervise.mjs [--<set-up>] <script> [arguments]`: runs a script with this Node, after a set-up. When this
// process ends, or npm that started it, the script ends, and with it everything that it has started.
import './tasks/nodeVersion.mjs';
import { runShown, script } from './tasks/run.mjs';
import { setUp } from './tasks/setUp.mjs';

const [first = '', ...rest] = process.argv.slice(2);
const prepare = first.startsWith('--') ? setUp[first.slice(2)] : undefined;

await script(async () => {
  await prepare?.();
  return runShown(process.execPath, prepare ? rest : [first, ...rest]);
});
