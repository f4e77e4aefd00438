import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/built.js';
import { makeFolder } from '../../support/folder.js';
import { runTool } from '../../tools/tool.js';

/** What a built service consists of. */
const parts = [
  ...['scripts/voucherd.mjs', 'scripts/tasks', 'dist/program', 'dist/build.json', 'dist/openapi.json'],
  ...['dist/web.json', 'openapi.yaml', 'web.yaml', 'package.json', 'src/i18n/texts'],
];

const defects = {
  'openapi.yaml': {
    from: 'default: 480',
    to: 'default: ▲0',
    what: 'POST /vouchers.php: the default of expire_minutes does not fit its schema: must be >= 1',
  },
  'web.yaml': {
    from: 'schema: { type: string, maxLength: 300, x-trim: true }, example: Anna Berger }',
    to: 'schema: { type: string, maxLength: 300, x-trim: true, default: ▲7 }, example: Anna Berger }',
    what: 'GET /vouchers: the default does not fit its schema: must be string',
  },
};

test('a built service does not start with a default that its schema refuses', async () => {
  const folder = await makeFolder();
  // The temporary folder may be a link, and the program speaks of real paths.
  const path = await realpath(folder.path);
  for (const part of parts) {
    await mkdir(dirname(join(path, part)), { recursive: true });
    await cp(join(root, part), join(path, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'));
  for (const [name, { from, to, what }] of Object.entries(defects)) {
    const file = join(path, name);
    const text = await readFile(file, 'utf8');
    const marked = text.replace(from, to);
    const before = marked.slice(0, marked.indexOf('▲')).split('\n');
    const place = `${String(before.length)}:${String(before.at(-1)!.length + 1)}`;
    await writeFile(file, marked.replace('▲', ''));
    const ended = await runTool(process.execPath, ['scripts/voucherd.mjs', 'serve'], {
      cwd: path,
      env: { DATA_DIR: join(path, 'data'), PORT: '0', LOG_LEVEL: 'silent' },
    });
    await writeFile(file, text);
    expect(ended).toEqual({ status: 2, out: `voucherd: ${file}:${place}: ${what}\n` });
  }
  await folder.remove();
});
