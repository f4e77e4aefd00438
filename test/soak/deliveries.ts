import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatNames } from '../../src/webhooks/formats/format.js';
import { formatTable } from '../../scripts/lib/textTable.js';
import { playScenarios, scenarioRow } from './deliveries/playback.js';
import { deliveryScenarios } from './deliveries/scenarios.js';

// What is sent when, to each kind of target, by what the target does: real sockets and a real database, a fake clock.

const heading = ['the target', 'outcome', 'sent when, since the first try'] as const;

const folder = await mkdtemp(join(tmpdir(), 'voucherd-show-'));
try {
  for (const format of formatNames) {
    const played = await playScenarios(
      format,
      deliveryScenarios(format),
      `sqlite:${join(folder, format)}.sqlite`,
    );
    console.log(`${format}\n\n${formatTable([heading, ...played.map(scenarioRow)])}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
