// What is sent when, to each kind of target, by what the target does: real sockets and a real database, a fake clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatNames } from '../../src/notifications/format.js';
import { play } from './play.js';
import { rowOf } from './row.js';
import { scenariosOf } from './scenarios.js';
import { table } from './table.js';

const heading = ['the target', 'outcome', 'sent when, since the first try'] as const;

const folder = await mkdtemp(join(tmpdir(), 'voucherd-show-'));
try {
  for (const format of formatNames) {
    const played = await play(format, scenariosOf(format), `sqlite:${join(folder, format)}.sqlite`);
    console.log(`${format}\n\n${table([heading, ...played.map(rowOf)])}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
