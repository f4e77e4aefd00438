import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { makeEpisode } from '../../src/log/episode.js';
import { until } from '../support/until.js';

test('an episode is logged when it begins and when it is over, with the number of its events', async () => {
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  const note = makeEpisode(log, { begin: 'it rains', end: 'it rains no more' }, 1);
  for (let event = 0; event < 100; event += 1) note();
  expect(lines).toEqual([{ level: 40, msg: 'it rains' }]);
  await until('it is over', () => lines.length === 2);
  expect(lines[1]).toEqual({ level: 40, events: 100, msg: 'it rains no more' });
  note();
  await until('another one is over', () => lines.length === 4);
  expect(lines[3]).toEqual({ level: 40, events: 1, msg: 'it rains no more' });
});
