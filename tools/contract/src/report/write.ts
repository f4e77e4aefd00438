import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../../../src/lib/folders.js';
import type { RunResult } from '../run/results.js';
import { renderHtml } from './html.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';

/** Every file that a run may write: those of an earlier run go, so that nobody takes them for this one's. */
const reportFiles = ['index.html', 'summary.md', 'junit.xml', 'changelog.md'];

/** Makes the folder ready before the run, so that one that can't be written is known at once. */
export const prepareReports = async (out: string): Promise<void> => {
  createFolder(out);
  for (const file of reportFiles) await rm(join(out, file), { force: true });
};

/** Writes the reports; the summary also where GitHub shows it. */
export const writeReports = async (
  result: RunResult,
  out: string,
  stepSummary: string | undefined,
): Promise<void> => {
  const summary = renderMarkdown(result);
  await writeFile(join(out, 'index.html'), renderHtml(result));
  await writeFile(join(out, 'junit.xml'), renderJunit(result));
  await writeFile(join(out, 'summary.md'), summary);
  for (const { file, text } of result.attachments) await writeFile(join(out, file), text);
  if (stepSummary) await appendFile(stepSummary, `${summary}\n`);
};
