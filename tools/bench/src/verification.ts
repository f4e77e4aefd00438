import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openDatabase, type Database } from '../../../src/database/database.js';
import type { Contestant } from './contestants.js';
import type { Load } from './loadGenerator.js';
import type { BenchAnswer, BenchRequest } from './requests.js';
import { listLength, siteCount } from './seed.js';

/** Checks what every contestant answers before it is measured, and returns what is wrong. */
export const verifyAnswers = async (
  request: BenchRequest,
  contestants: readonly Contestant[],
): Promise<string[]> => {
  const answers = new Map<string, BenchAnswer>();
  for (const { name, answer } of contestants) if (answer) answers.set(name, await answer());
  const faults = [...answers].flatMap(([name, answer]) =>
    answerFaults(request, answer).map((fault) => `${request.name}, ${name}: ${fault}`),
  );
  if (request.method === 'POST') return faults;
  const [ours, limit, conventional] = ['voucherd', 'limit', 'conventional'].map((name) => answers.get(name));
  if (!isDeepStrictEqual(fixedHeaders(ours), fixedHeaders(limit)) || ours?.body !== limit?.body) {
    faults.push(`${request.name}: the limit does not send the bytes that voucherd sends`);
  }
  if (!isDeepStrictEqual(parsed(ours), parsed(conventional))) {
    faults.push(`${request.name}: the conventional way does not answer what voucherd answers`);
  }
  return faults;
};

/** What is wrong with one answer, by itself. */
export const answerFaults = (request: BenchRequest, answer: BenchAnswer): string[] => {
  if (answer.status !== request.status) return [`status ${answer.status} instead of ${request.status}`];
  const body = parsed(answer);
  switch (request.name) {
    case 'sites':
      return lengthFaults(body, 'sites', siteCount);
    case 'vouchers':
    case 'limited':
      return lengthFaults(body, 'vouchers', listLength);
    case 'create':
    case 'crowd':
      return createdFaults(body);
  }
};

/** What was wrong under load. An answer that is shorter than before is another answer. */
export const loadFaults = (load: Load, bodyLength: number | undefined): string[] => {
  const { completed, failures, bytesPerAnswer } = load;
  return [
    ...(failures > 0 ? [`${failures} requests without success beside ${completed} answers`] : []),
    ...(completed === 0 ? ['no answer at all'] : []),
    ...(bodyLength !== undefined && bytesPerAnswer < bodyLength
      ? [`${Math.round(bytesPerAnswer)} bytes per answer, its body alone has ${bodyLength}`]
      : []),
  ];
};

const lengthFaults = (body: Record<string, unknown>, field: string, wanted: number): string[] => {
  const list = body[field];
  const length = Array.isArray(list) ? list.length : 0;
  return length === wanted ? [] : [`${length} ${field} instead of ${wanted}`];
};

const createdFaults = ({
  success,
  code,
  formatted_code: formatted,
  max_uses: uses,
}: Record<string, unknown>) =>
  success === true && /^\d{10}$/.test(String(code)) && /^\d{5}-\d{5}$/.test(String(formatted)) && uses === 2
    ? []
    : ['the answer describes no created voucher'];

const parsed = (answer: BenchAnswer | undefined): Record<string, unknown> => {
  try {
    return JSON.parse(answer?.body ?? '') as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** The headers without those that differ from one answer to the next: their lengths count, not their values. */
const fixedHeaders = (answer: BenchAnswer | undefined) => {
  const {
    date,
    'x-request-id': id,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': reset,
    ...rest
  } = answer?.headers ?? {};
  const has = [id, remaining, reset].map((value) => value !== undefined);
  return { ...rest, date: date?.length, has };
};

/** How much of what creations leave behind is in a database. */
interface RecordedCounts {
  readonly vouchers: number;
  readonly notifications: number;
  readonly intents: number;
}

/** The load ends in the middle of requests; what is in flight then is finished within this time. */
const patienceMs = 5_000;

/** Counts once no intent is left, or after some seconds all the same. */
export const countRecorded = async (databaseUrl: string): Promise<RecordedCounts> => {
  const database = openDatabase(databaseUrl);
  try {
    const until = performance.now() + patienceMs;
    for (;;) {
      const recorded = await count(database);
      if (recorded.intents === 0 || performance.now() > until) return recorded;
      await sleep(50);
    }
  } finally {
    await database.close();
  }
};

/** One statement, and so one moment: it may still be written to. */
const count = async ({ read }: Database): Promise<RecordedCounts> => {
  const rowsOf = (table: string) => read(table).count('*').as(table);
  const [row] = await read.select<RecordedCounts[]>(
    rowsOf('vouchers'),
    rowsOf('notifications'),
    rowsOf('intents'),
  );
  return row ?? { vouchers: 0, notifications: 0, intents: 0 };
};

/** Every creation that was answered must be recorded and announced; those cut off at the end may be as well. */
export const recordedFaults = (
  name: string,
  before: RecordedCounts,
  after: RecordedCounts,
  created: number,
): string[] => {
  const vouchers = after.vouchers - before.vouchers;
  const notifications = after.notifications - before.notifications;
  return [
    ...(vouchers < created ? [`create, ${name}: ${created} answered, ${vouchers} recorded`] : []),
    ...(vouchers !== notifications
      ? [`create, ${name}: ${vouchers} vouchers, ${notifications} notifications`]
      : []),
    ...(after.intents > 0 ? [`create, ${name}: ${after.intents} intents left`] : []),
  ];
};
