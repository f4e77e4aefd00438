import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, type TestFolder } from '../support/folder.js';

/** A folder with a contract, `openapi.yaml`, and the files that it refers to. */
export const writeContract = async (
  source: string,
  files: Readonly<Record<string, string>>,
): Promise<TestFolder> => {
  const folder = await makeFolder();
  for (const [name, text] of Object.entries({ 'openapi.yaml': source, ...files })) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), text);
  }
  return folder;
};
