import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';

/** What a file needs before it can run: dynamic imports and types are not among it. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) (?!type)[^;]*?from '([^']+)';/gm),
  ].map(([, name = '']) => name);

const closureOf = (file: string, known = new Map<string, string[]>()): Map<string, string[]> => {
  const names = importsOf(file);
  known.set(file, names);
  for (const name of names.filter((imported) => imported.startsWith('.'))) {
    const source = join(dirname(file), name).replace(/\.js$/, '.ts');
    if (existsSync(join(root, source)) && !known.has(source)) closureOf(source, known);
  }
  return known;
};

test('a service loads what prints and sends e-mails when it is used, and not before', () => {
  const files = closureOf('src/app/app.ts');
  expect(files.size).toBeGreaterThan(100);
  const packages = new Set([...files.values()].flat());
  expect(packages).toContain('knex');
  for (const name of [
    ...['pdfkit', 'fontkit', 'sharp', 'pngjs', 'iconv-lite', 'uqr'],
    ...['nodemailer/lib/mail-composer', 'nodemailer/lib/smtp-connection'],
  ])
    expect([name, packages.has(name)]).toEqual([name, false]);
  // Each of them is there all the same.
  const printing = closureOf('src/printing/pdf/voucherPdf.ts');
  expect([...printing.values()].flat()).toEqual(expect.arrayContaining(['pdfkit', 'fontkit', 'uqr']));
});
