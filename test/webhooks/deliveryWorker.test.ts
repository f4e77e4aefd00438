import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { playScenarios, scenarioRow, type PlayedScenario } from '../soak/deliveries/playback.js';
import { deliveryScenarios } from '../soak/deliveries/scenarios.js';
import type { Behaviour } from '../../simulators/webhookTarget.js';
import { formatNames, type FormatName } from '../../src/webhooks/formats/format.js';
import { putSqliteDatabase } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const played = new Map<FormatName, readonly PlayedScenario[]>();
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  await Promise.all(
    formatNames.map(async (format) => {
      const path = join(folder.path, format);
      await mkdir(path);
      await putSqliteDatabase(path);
      const databaseUrl = `sqlite:${join(path, 'voucherd.sqlite')}`;
      played.set(format, await playScenarios(format, deliveryScenarios(format), databaseUrl));
    }),
  );
});

type Cells = readonly [outcome: string, sent: string];
const both = 'A, B delivered';
const atOnce: Cells = [both, 'A 0 · B 0'];
/** What is behind it waits too. */
const holding = (time: string): Cells => [both, `A 0 · A ${time} · B ${time}`];
/** It waits alone. */
const aside: Cells = [both, 'A 0 · B 0 · A 5 s'];
const failed = (reason: string): Cells => [`A failed: ${reason}; B delivered`, 'A 0 · B 0'];
const tenTimes =
  'A 0 · A 5 s · A 5 min 5 s · A 35 min 5 s · A 2 h 35 min 5 s · A 7 h 35 min 5 s · A 17 h 35 min 5 s · ' +
  'A 31 h 35 min 5 s · A 51 h 35 min 5 s · A 75 h 35 min 5 s';

const everywhere: Record<string, Cells> = {
  '200 ok': atOnce,
  '202 without a body': atOnce,
  '204': atOnce,
  '429, Retry-After: 30': holding('30 s'),
  '429': holding('5 s'),
  '429, retry_after: 64.57': holding('1 min 5 s'),
  '500': holding('5 s'),
  '502, Retry-After: 600': holding('10 min'),
  'hangs twice': [both, 'A 0 · A 5 s · A 5 min 5 s · B 5 min 5 s'],
  'reset before the body': holding('5 s'),
  'reset after the body': holding('5 s'),
  'body that breaks off': atOnce,
  redirect: holding('5 s'),
  '503 for ever': ['A failed: answered 503 (unavailable)', tenTimes],
  '400': failed('answered 400'),
  '401': failed('answered 401'),
  '403': failed('answered 403'),
  '404': failed('answered 404'),
  '410': holding('5 s'),
};
/** Where a platform differs. */
const own: Record<FormatName, Record<string, Cells>> = {
  generic: {
    '400': aside,
    '401': holding('5 s'),
    '403': holding('5 s'),
    '404': holding('5 s'),
    '410': ['A failed: answered 410; B waiting; webhook switched off', 'A 0'],
  },
  slack: {
    '401': holding('5 s'),
    '410': failed('answered 410'),
    '404 no_service': failed('answered 404 (no_service)'),
  },
  mattermost: { '401': holding('5 s'), '500 with JSON': holding('5 s') },
  discord: {
    '403': holding('5 s'),
    '429, retry_after: 64.57': holding('1 min 4.57 s'),
    '200 with the message': atOnce,
  },
  teams: { '429 inside a 200': holding('5 s') },
  'google-chat': { '200 with the message': atOnce },
  'php-tool': {
    '400': aside,
    '401': holding('5 s'),
    '403': holding('5 s'),
    '404': holding('5 s'),
    '410': failed('answered 410'),
  },
};

/** Does the target take a message with this? */
const takes = (behaviour: Behaviour): boolean =>
  'status' in behaviour &&
  behaviour.status >= 200 &&
  behaviour.status < 300 &&
  !/HTTP error 429/.test(behaviour.body ?? '');

/** Everything that was played, or with one format. */
const all = (formats: readonly FormatName[] = formatNames): readonly PlayedScenario[] =>
  formats.flatMap((format) => played.get(format)!);

test.each(formatNames)('what is sent when as %s, and what becomes of it', (format) => {
  const rows = all([format]).map((one) => [scenarioRow(one)[0], scenarioRow(one).slice(1)] as const);
  expect(Object.fromEntries(rows)).toEqual({ ...everywhere, ...own[format] });
});

test('nothing is lost: each is delivered, or kept as failed with the reason', () => {
  for (const { deliveries, scenario, switchedOff } of all()) {
    expect(deliveries).toHaveLength(scenario.notifications);
    for (const { state, reason } of deliveries) {
      if (state === 'failed') expect(reason?.code).toMatch(/^answered/);
      else expect([state, reason]).toEqual([switchedOff ? 'waiting' : 'delivered', null]);
    }
  }
});

test('nothing is sent again after a 2xx', () => {
  for (const { sent, scenario } of all()) {
    const answers = sent.map((_, index) => scenario.script[index] ?? scenario.otherwise);
    const taken = sent.filter((_, index) => takes(answers[index]!));
    expect(new Set(taken.map(({ notification }) => notification)).size).toBe(taken.length);
    for (const one of taken)
      expect(sent.findLast(({ notification }) => notification === one.notification)).toBe(one);
  }
});

test('what is sent arrives, at the address of the webhook alone', () => {
  for (const { sent, arrived, scenario } of all()) {
    expect(new Set(arrived.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(['POST /hook']));
    // A deadline may end a request before a target that hangs has read it.
    if (scenario.script[0]?.does === 'hang') expect(arrived.length).toBeLessThanOrEqual(sent.length);
    else expect(arrived.map(({ at }) => at)).toEqual(sent.map(({ at }) => at));
  }
});

test('tries are counted', () => {
  for (const { sent, deliveries } of all()) {
    for (const { tries, notification } of deliveries)
      expect(sent.filter((one) => one.notification === notification.id)).toHaveLength(tries);
  }
});

test('the webhook-id is the same for each try, and the webhook-timestamp is that of the try', () => {
  for (const { sent } of played.get('generic')!) {
    for (const { at, notification, message } of sent) {
      expect(message.headers['webhook-id']).toBe(`msg_${notification}`);
      expect(message.headers['webhook-timestamp']).toBe(String(Math.floor(at / 1000)));
    }
  }
});

test('only the generic format signs', () => {
  for (const format of formatNames) {
    const signed = played
      .get(format)!
      .flatMap(({ arrived }) =>
        arrived.map(({ headers }) => 'webhook-signature' in headers || 'webhook-id' in headers),
      );
    expect(new Set(signed)).toEqual(new Set([format === 'generic']));
  }
});
