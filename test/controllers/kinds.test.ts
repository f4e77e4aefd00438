import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { controllerKinds } from '../../src/controllers/kinds.js';
import { root } from '../support/built.js';

// The import knows accounts of the tool that it takes over, which are of one kind.
const isExcepted = (file: string): boolean => file.startsWith('src/import/phpTool/');

test('nobody asks for the name of a kind of controllers, but for what the kind declares', () => {
  const isAsked = new RegExp(`[=!]==\\s*'(${controllerKinds.join('|')})'`);
  const files = ['src', 'handlers', 'web/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !isExcepted(file));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => isAsked.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
