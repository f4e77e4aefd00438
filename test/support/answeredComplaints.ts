import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { root } from '../support/built.js';

/** The complaints that a section of docs/other-tools.md answers, of one description or of all. */
export const answeredComplaints = (tool: string, description?: string): string[] => {
  const page = readFileSync(join(root, 'docs/other-tools.md'), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${tool}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)];
  expect(rows).not.toEqual([]);
  return rows
    .filter(
      ([, , of = '']) =>
        description === undefined || of.replaceAll('`', '').split(', ').includes(description),
    )
    .map(([, complaint = '']) => complaint);
};

/** Every complaint is answered, and every answer has its complaint. An answer without a place is one for all places. */
export const expectAnswered = (found: readonly string[], answered: readonly string[]): void => {
  const answers = (complaint: string) =>
    answered.filter((answer) => complaint.split(' at ')[0] === answer || complaint === answer);
  expect(found.filter((complaint) => answers(complaint).length === 0)).toEqual([]);
  const used = new Set(found.flatMap(answers));
  expect(answered.filter((answer) => !used.has(answer))).toEqual([]);
};
