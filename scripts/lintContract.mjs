// Redocly's rules for the contract; arguments go to Redocly. It takes `#` in a path for the start of a fragment,
// so it looks at a copy in a folder whose name has none.
import './tasks/nodeVersion.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, tool } from './tasks/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'voucherd-lint-'));
try {
  for (const file of ['openapi.yaml', 'redocly.yaml']) copyFileSync(`${root}${file}`, join(folder, file));
  const [command, args] = tool('@redocly/cli/bin/cli.js', 'lint', 'openapi.yaml', ...process.argv.slice(2));
  // Neither a usage report nor a look for updates: a check reaches no other host.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const redocly = spawn(command, args, { cwd: folder, env, stdio: 'inherit' });
  process.once('SIGTERM', () => redocly.kill('SIGTERM'));
  const [status] = await once(redocly, 'close');
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
