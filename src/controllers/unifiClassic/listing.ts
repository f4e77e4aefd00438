import type { Readable } from 'node:stream';
import type { Effects } from '../../effects.js';
import type { Connection } from '../connection/connection.js';
import type { Fields } from '../connection/reading.js';
import { certainly } from '../connection/waiting.js';
import { ControllerError, OutcomeUnknown, type Controller } from '../controller.js';
import { mergeSeconds } from '../match.js';
import type { Api } from './api.js';
import { rowsOf } from './rows.js';
import type { Session } from './session.js';
import type { Sites } from './sites.js';
import { judge, settle, verdictOn, type Verdict } from './verdict.js';
import { toVoucher } from './voucher.js';

export interface ListingOptions {
  readonly connection: Connection;
  readonly api: Api;
  readonly sites: Sites;
  readonly name: string;
  readonly effects: Effects;
}

type Rows = AsyncIterable<unknown>;

/** What is kept of an answer that is no list. */
const mostBytes = 64 * 1024;

export const makeList = ({ connection, api, sites, name, effects }: ListingOptions): Controller['list'] => {
  const cutOff = (error: unknown): ControllerError => {
    if (error instanceof ControllerError) return error;
    const said = error instanceof OutcomeUnknown ? error.failure : undefined;
    return new ControllerError(name, said ?? { trouble: 'unreadable', reason: 'list' });
  };

  /** The first row tells whether the answer is a list: an error has none, though it may come with status 200. */
  const open = async (
    session: Session,
    site: string,
    signal: AbortSignal | undefined,
  ): Promise<Verdict<Rows>> => {
    const { status, headers, body } = await connection.stream({
      method: 'GET',
      path: `${session.variant.prefix}/api/s/${site}/stat/voucher`,
      headers: session.headers('GET'),
      signal,
    });
    session.learn(headers);
    try {
      if (status !== 200) return noRows(verdictOn({ status, headers, text: await startOf(body) }));
      const rows = rowsOf(body);
      const first = await rows.next();
      const ending = (fields: Fields): Verdict<Rows> => noRows(judge(status, headers, fields));
      return first.done ? ending(first.value) : { kind: 'ok', value: all(first.value, rows, ending) };
    } catch (error) {
      throw cutOff(error);
    }
  };

  const all = async function* (
    first: unknown,
    rows: AsyncGenerator<unknown, Fields>,
    ending: (fields: Fields) => Verdict<Rows>,
  ): AsyncGenerator {
    try {
      yield first;
      // The end of the answer decides whether the list was whole.
      settle(ending(yield* rows), name);
    } finally {
      // Whoever wants only the first does not come to the others.
      await rows.return({});
    }
  };

  return async function* (controllerSite, signal) {
    const rows = await certainly(
      sites
        .use(controllerSite, (site) => api.attempt((session) => open(session, site, signal), signal), signal)
        .then((verdict) => settle(verdict, name)),
    );
    try {
      for await (const row of rows) yield toVoucher(row, effects.now());
    } catch (error) {
      throw cutOff(error);
    }
  };
};

const noRows = (verdict: Verdict<readonly unknown[]>): Verdict<Rows> =>
  verdict.kind === 'ok' ? { kind: 'ok', value: nothing() } : verdict;

const nothing = async function* (): AsyncGenerator {
  // An empty list.
};

const startOf = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the body.
    if (bytes >= mostBytes) break;
  }
  return Buffer.concat(chunks).toString();
};

/** So many calls for a second each, or else the whole list. */
const mostSeconds = 60;

/** The vouchers of some seconds, which the controller can be asked for one at a time. */
export const makeCreatedIn = (
  { api, sites, name, effects }: ListingOptions,
  list: Controller['list'],
): Controller['createdIn'] =>
  async function* (controllerSite, ranges, signal) {
    const seconds = mergeSeconds(ranges, 0);
    const calls = seconds.reduce((total, [first, last]) => total + last - first + 1, 0);
    if (calls > mostSeconds) {
      yield* list(controllerSite, signal);
      return;
    }
    for (const [first, last] of seconds) {
      for (let second = first; second <= last; second++) {
        const json = { create_time: second };
        const rows = await certainly(
          sites
            .use(
              controllerSite,
              (site) => api.ask({ method: 'POST', path: `/api/s/${site}/stat/voucher`, json, signal }),
              signal,
            )
            .then((verdict) => settle(verdict, name)),
        );
        for (const row of rows) yield toVoucher(row, effects.now());
      }
    }
  };
