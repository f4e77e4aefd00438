// What is sent when, to each kind of target, by what the target does: real sockets and a real database, a fake clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatNames } from '../../src/notifications/format.js';
import { play } from './play.js';
import { rowOf } from './row.js';
import { scenariosOf } from './scenarios.js';

const heading = ['the target', 'outcome', 'sent when, since the first try'] as const;

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  return rows.flatMap((row, index) => (index === 1 ? [rule, line(row)] : [line(row)])).join('\n');
};

const folder = await mkdtemp(join(tmpdir(), 'voucherd-show-'));
try {
  for (const format of formatNames) {
    const played = await play(format, scenariosOf(format), `sqlite:${join(folder, format)}.sqlite`);
    console.log(`${format}\n\n${table([heading, ...played.map(rowOf)])}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
