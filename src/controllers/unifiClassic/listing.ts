import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as StreamParser from '@streamparser/json';
import type { System } from '../../lib/system.js';
import type { Controller } from '../controller.js';
import { ControllerError, OutcomeUnknown, withKnownOutcome } from '../errors.js';
import type { Connection } from '../https/connection.js';
import { mergeToSeconds } from '../match.js';
import type { Fields } from '../parsing.js';
import { type ClassicAnswer, parseClassicAnswer, classifyAnswer, unwrapAnswer } from './answer.js';
import { type ClassicApi } from './classicApi.js';
import type { ClassicSession } from './session.js';
import type { ClassicSites } from './sites.js';
import { parseClassicVoucher } from './voucher.js';

interface ClassicListOptions {
  readonly connection: Connection;
  readonly api: ClassicApi;
  readonly sites: ClassicSites;
  readonly name: string;
  readonly system: System;
}

type Rows = AsyncIterable<unknown>;

/** How much is read of an answer that is not a list. */
const maxErrorBytes = 64 * 1024;

export const makeClassicList = ({
  connection,
  api,
  sites,
  name,
  system,
}: ClassicListOptions): Controller['list'] => {
  const cutOff = (error: unknown): ControllerError => {
    if (error instanceof ControllerError) return error;
    const said = error instanceof OutcomeUnknown ? error.failure : undefined;
    return new ControllerError(name, said ?? { kind: 'unreadable', reason: 'list' });
  };

  /** Errors may come with status 200, but have no rows: the first row shows that the answer is a list. */
  const open = async (
    session: ClassicSession,
    site: string,
    signal: AbortSignal | undefined,
  ): Promise<ClassicAnswer<Rows>> => {
    // Before the answer is there: it would wait.
    const streamParser = await import('@streamparser/json');
    const { status, headers, body } = await connection.stream({
      method: 'GET',
      path: `${session.variant.prefix}/api/s/${site}/stat/voucher`,
      headers: session.headers('GET'),
      signal,
    });
    session.learn(headers);
    try {
      if (status !== 200) return noRows(parseClassicAnswer({ status, headers, text: await readStart(body) }));
      const rows = parseRows(body, streamParser);
      const first = await rows.next();
      const ending = (fields: Fields): ClassicAnswer<Rows> => noRows(classifyAnswer(status, headers, fields));
      return first.done ? ending(first.value) : { kind: 'ok', value: all(first.value, rows, ending) };
    } catch (error) {
      throw cutOff(error);
    }
  };

  const all = async function* (
    first: unknown,
    rows: AsyncGenerator<unknown, Fields>,
    ending: (fields: Fields) => ClassicAnswer<Rows>,
  ): AsyncGenerator {
    try {
      yield first;
      // Only the end of the answer shows whether the list is complete.
      unwrapAnswer(ending(yield* rows), name);
    } finally {
      // A caller that stops after the first row never reads the others.
      await rows.return({});
    }
  };

  return async function* (controllerSite, signal) {
    const rows = await withKnownOutcome(
      sites
        .use(controllerSite, (site) => api.attempt((session) => open(session, site, signal), signal), signal)
        .then((answer) => unwrapAnswer(answer, name)),
    );
    try {
      for await (const row of rows) yield parseClassicVoucher(row, system.now());
    } catch (error) {
      throw cutOff(error);
    }
  };
};

const noRows = (answer: ClassicAnswer<readonly unknown[]>): ClassicAnswer<Rows> =>
  answer.kind === 'ok' ? { kind: 'ok', value: emptyRows() } : answer;

const emptyRows = async function* (): AsyncGenerator {
  // An empty list.
};

const readStart = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the body.
    if (bytes >= maxErrorBytes) break;
  }
  return Buffer.concat(chunks).toString();
};

/** With more calls, one per second, the whole list is cheaper. */
const maxSecondQueries = 60;

/** The vouchers of some seconds; the controller can be asked for one second at a time. */
export const makeClassicCreatedIn = (
  { api, sites, name, system }: ClassicListOptions,
  list: Controller['list'],
): Controller['createdIn'] =>
  async function* (controllerSite, ranges, signal) {
    const seconds = mergeToSeconds(ranges, 0);
    const calls = seconds.reduce((total, [first, last]) => total + last - first + 1, 0);
    if (calls > maxSecondQueries) {
      yield* list(controllerSite, signal);
      return;
    }
    for (const [first, last] of seconds) {
      for (let second = first; second <= last; second++) {
        const json = { create_time: second };
        const rows = await withKnownOutcome(
          sites
            .use(
              controllerSite,
              (site) => api.ask({ method: 'POST', path: `/api/s/${site}/stat/voucher`, json, signal }),
              signal,
            )
            .then((answer) => unwrapAnswer(answer, name)),
        );
        for (const row of rows) yield parseClassicVoucher(row, system.now());
      }
    }
  };

/** How much is parsed before yielding to the event loop. */
const pieceBytes = 4 * 1024;

/**
 * The rows of an answer's `data`, while the answer still arrives. Returns the other fields, which may come
 * before or after the rows, with an empty `data`. Throws if the answer is truncated or not JSON.
 */
const parseRows = async function* (
  body: Readable,
  { JSONParser, TokenType }: typeof StreamParser,
): AsyncGenerator<unknown, Fields> {
  const rows: unknown[] = [];
  const fields: Record<string, unknown> = {};
  const parser = new JSONParser({
    paths: ['$.meta', '$.error', '$.data.*'],
    // Rows are freed once they are emitted.
    keepStack: false,
    // Strings are collected as bytes, not letter by letter.
    stringBufferSize: 256,
    numberBufferSize: 32,
  });
  parser.onValue = ({ value, key, stack }) => {
    if (stack.length > 1 && fields['data'] !== undefined) rows.push(value);
    else if (stack.length === 1) fields[String(key)] = value;
  };
  // The parser emits nothing for an empty list; an answer without `data` is not an empty list.
  let depth = 0;
  let key: unknown;
  parser.onToken = ({ token, value }) => {
    if (token === TokenType.LEFT_BRACKET && depth === 1 && key === 'data') fields['data'] = [];
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--;
    else if (token === TokenType.STRING && depth === 1) key = value;
  };
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (let start = 0; start < chunk.length; start += pieceBytes) {
        parser.write(chunk.subarray(start, start + pieceBytes));
        yield* rows.splice(0);
        await nextTurn();
      }
    }
    if (!parser.isEnded) throw new Error('cut off');
    return fields;
  } finally {
    body.destroy();
  }
};
