// Run by the build: writes the compiled code of what a start, a few commands and a few requests need beside the bundle.
// Node's own `module.enableCompileCache()` can't take its place yet: Node 20, which is supported, does not have it.
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeCacheFile, loadBundle, packCodeCache } from './program.mjs';

const { source, script, program } = loadBundle({ isCached: false });
const { main } = program;
const folder = mkdtempSync(join(tmpdir(), 'voucherd-'));
const env = { DATA_DIR: folder, PORT: '0' };
const printed = new EventEmitter();

/** Runs a command, and returns what it has printed. */
const run = async (...argv) => {
  let output = '';
  const out = (text) => void (output += text);
  if ((await main(argv, { env, out, err: out })) !== 0) throw new Error(`${argv.join(' ')}: ${output}`);
  return output.trim();
};

const useService = async (url, key) => {
  const headers = { authorization: `Bearer ${key}` };
  const order = { method: 'POST', headers, body: JSON.stringify({ site_id: 1, name: 'Anna' }) };
  for (const [path, init] of [
    ['/healthz'],
    ['/sites.php', { headers }],
    ['/vouchers.php', order],
    ['/vouchers.php?site_id=1', { headers }],
  ]) {
    const response = await fetch(url + path, init);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  }
};

try {
  await run('--help');
  await run('controller', 'add', '--name', 'Simulator', '--kind', 'simulated', '--yes');
  await run('site', 'add', '--name', 'Haus', '--controller', 'Simulator');
  const key = await run('key', 'create', '--name', 'Kasse', '--scope', 'write');
  const signals = new EventEmitter();
  const io = { env, out: (text) => printed.emit('line', text), err: () => undefined };
  const listening = once(printed, 'line');
  const served = main(['serve', '--json'], io, signals);
  const ended = served.then((status) => {
    throw new Error(`the service ended with ${status}`);
  });
  const [line] = await Promise.race([listening, ended]);
  await useService(JSON.parse(line).url, key);
  const fresh = `${codeCacheFile}.new`;
  writeFileSync(fresh, packCodeCache(source, script.createCachedData()));
  renameSync(fresh, codeCacheFile);
  ended.catch(() => undefined);
  signals.emit('SIGTERM');
  await served;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
