import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject, type Project } from '../../dev/project.js';
import { runTool } from '../../tools/tool.js';

let project: Project;
beforeAll(async () => {
  project = await makeProject(['dist/program', 'dist/openapi.json', 'dist/web.json']);
});
afterAll(() => project.remove());

test.each([
  [
    'openapi.yaml',
    'default: 480',
    'default: ▲0',
    'POST /vouchers.php: the default of expire_minutes does not fit its schema: must be >= 1',
  ],
  [
    'web.yaml',
    'schema: { type: string, maxLength: 300, x-trim: true }, example: Anna Berger }',
    'schema: { type: string, maxLength: 300, x-trim: true, default: ▲7 }, example: Anna Berger }',
    'GET /vouchers: the default does not fit its schema: must be string',
  ],
])(
  'a built service does not start with a default that its schema refuses: %s',
  async (file, from, to, what) => {
    const text = await project.read(file);
    const marked = text.replace(from, to);
    const before = marked.slice(0, marked.indexOf('▲')).split('\n');
    const place = `${String(before.length)}:${String(before.at(-1)!.length + 1)}`;
    await project.write(file, marked.replace('▲', ''));
    const { status, out } = await runTool(process.execPath, ['scripts/voucherd.mjs', 'serve'], {
      cwd: project.path,
      env: { DATA_DIR: join(project.path, 'data'), PORT: '0', LOG_LEVEL: 'silent' },
    });
    await project.write(file, text);
    expect({ status, out }).toEqual({
      status: 2,
      out: `voucherd: ${join(project.path, file)}:${place}: ${what}\n`,
    });
  },
);
