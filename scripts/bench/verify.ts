import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './answers.js';
import type { Contestant } from './contestants.js';
import type { Load } from './load/load.js';
import type { BenchRequest } from './requests.js';
import { listLength, siteCount } from './seed.js';

/** Checks what every contestant answers before it is measured, and returns what is wrong. */
export const verifyAnswers = async (
  request: BenchRequest,
  contestants: readonly Contestant[],
): Promise<string[]> => {
  const answers = new Map<string, Answer>();
  for (const { name, answer } of contestants) if (answer) answers.set(name, await answer());
  const faults = [...answers].flatMap(([name, answer]) =>
    answerFaults(request, answer).map((fault) => `${request.name}, ${name}: ${fault}`),
  );
  if (request.name === 'create') return faults;
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
export const answerFaults = (request: BenchRequest, answer: Answer): string[] => {
  if (answer.status !== request.status) return [`status ${answer.status} instead of ${request.status}`];
  const body = parsed(answer);
  switch (request.name) {
    case 'sites':
      return lengthFaults(body, 'sites', siteCount);
    case 'vouchers':
      return lengthFaults(body, 'vouchers', listLength);
    case 'create':
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

const parsed = (answer: Answer | undefined): Record<string, unknown> => {
  try {
    return JSON.parse(answer?.body ?? '') as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** The headers without those that differ from one answer to the next: their lengths count, not their values. */
const fixedHeaders = (answer: Answer | undefined) => {
  const { date, 'x-request-id': id, ...rest } = answer?.headers ?? {};
  return { ...rest, date: date?.length, hasId: id !== undefined };
};
