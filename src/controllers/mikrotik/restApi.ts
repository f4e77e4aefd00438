import type { System } from '../../lib/system.js';
import { publicText } from '../../lib/publicText.js';
import type { ControllerCredentials } from '../controller.js';
import { ControllerError, SettingsError, withKnownOutcome } from '../errors.js';
import { toWholeSeconds } from '../failure.js';
import type { Connection } from '../https/connection.js';
import type { ControllerRequest } from '../https/exchange.js';
import { asFields, asText, type Fields } from '../parsing.js';
import { isDuplicate, isGone, parseRestAnswer, toRestError, type RestAnswer } from './answer.js';

interface RestApiOptions {
  readonly connection: Connection;
  readonly credentials: ControllerCredentials;
  readonly name: string;
  readonly system: Pick<System, 'now'>;
}

type Signal = AbortSignal | undefined;

interface PrintRequest {
  /** The properties that are wanted; all without it. */
  readonly properties?: readonly string[];
  /** Only items whose property has one of these values. */
  readonly where?: readonly [property: string, values: readonly string[]];
}

/** The REST API. Menus are paths such as `/ip/hotspot/user`. */
export interface RestApi {
  /** Returns any answer but a refused sign-in. */
  send(request: ControllerRequest): Promise<RestAnswer>;
  /** What a successful answer holds; throws the error that any other one means. */
  unwrap(answer: RestAnswer): unknown;
  /** The properties of a menu that has no items. */
  get(menu: string, signal: Signal): Promise<Fields>;
  /** The items of a menu. */
  print(menu: string, request: PrintRequest, signal: Signal): Promise<readonly Fields[]>;
  /** Adds an item. See `assertAdded`. */
  add(menu: string, item: Fields, signal: Signal): Promise<RestAnswer>;
  change(menu: string, id: string, changes: Fields, signal: Signal): Promise<void>;
  /** Removes an item. One that is gone is no error. */
  remove(menu: string, id: string, signal: Signal): Promise<void>;
}

/** After a refused sign-in nothing is asked for so long: each attempt is a line in the router's log. */
const refusedForMs = 30_000;

/** A user name ends at the first colon. */
export const parseAccount = (given: ControllerCredentials): { username: string; password: string } => {
  const { username = '', password = '' } = given;
  if (username.trim() === '') throw new SettingsError('username', 'is missing');
  if (username.includes(':')) throw new SettingsError('username', 'may not hold a colon');
  if (password === '') throw new SettingsError('password', 'is missing');
  return { username: username.trim(), password };
};

export const makeRestApi = ({ connection, credentials, name, system }: RestApiOptions): RestApi => {
  const { username, password } = parseAccount(credentials);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const safe = (text: string): string =>
    publicText([password, basic].reduce((rest, secret) => rest.replaceAll(secret, '…'), text))
      .replace(/[\p{C}\s]+/gu, ' ')
      .slice(0, 200);
  let refusedUntil = 0;

  const assertNotRefused = (): void => {
    const left = refusedUntil - system.now();
    if (left > 0 && left <= refusedForMs)
      throw new ControllerError(name, { kind: 'credentials', of: 'account', seconds: toWholeSeconds(left) });
  };

  const send: RestApi['send'] = async (request) => {
    assertNotRefused();
    const headers = { authorization: `Basic ${basic}` };
    const reply = await connection.call({ ...request, path: `/rest${request.path}`, headers });
    if (reply.status === 401) {
      refusedUntil = system.now() + refusedForMs;
      assertNotRefused();
    }
    return parseRestAnswer(reply);
  };

  const unwrap = (answer: RestAnswer): unknown => {
    const isContent = typeof answer.body === 'object' && answer.body !== null;
    if (answer.status >= 300 || !isContent) throw toRestError(answer, { name, safe });
    return answer.body;
  };

  const read = (request: ControllerRequest): Promise<RestAnswer> => withKnownOutcome(send(request));

  const toItems = async (answer: RestAnswer): Promise<readonly Fields[]> => {
    const items = await withKnownOutcome(Promise.resolve(answer).then(unwrap));
    if (!Array.isArray(items)) throw new ControllerError(name, { kind: 'unreadable', reason: 'list' });
    return items.map(asFields);
  };

  const print: RestApi['print'] = async (menu, { properties, where }, signal) => {
    const [property = '', values = []] = where ?? [];
    if (values.length > 1) {
      const query = [...values.map((value) => `${property}=${value}`), `#${'|'.repeat(values.length - 1)}`];
      const json = { '.query': query, ...(properties && { '.proplist': properties }) };
      return toItems(await read({ method: 'POST', path: `${menu}/print`, json, signal }));
    }
    const search = new URLSearchParams({
      ...(values[0] !== undefined && { [property]: values[0] }),
      ...(properties && { '.proplist': properties.join(',') }),
    }).toString();
    return toItems(
      await read({ method: 'GET', path: `${menu}${search === '' ? '' : `?${search}`}`, signal }),
    );
  };

  const expectDone = (answer: RestAnswer): void => {
    if (answer.status >= 300) throw toRestError(answer, { name, safe });
  };

  return {
    send,
    unwrap,
    get: async (menu, signal) => {
      const answer = await read({ method: 'GET', path: menu, signal });
      return asFields(await withKnownOutcome(Promise.resolve(answer).then(unwrap)));
    },
    print,
    add: (menu, item, signal) => send({ method: 'PUT', path: menu, json: item, signal }),
    change: async (menu, id, changes, signal) =>
      expectDone(
        await read({ method: 'PATCH', path: `${menu}/${encodeURIComponent(id)}`, json: changes, signal }),
      ),
    remove: async (menu, id, signal) => {
      const answer = await read({ method: 'DELETE', path: `${menu}/${encodeURIComponent(id)}`, signal });
      if (!isGone(answer)) expectDone(answer);
    },
  };
};

/** Throws unless an item was added, or was there already. */
export const assertAdded = ({ unwrap }: RestApi, answer: RestAnswer): void => {
  if (answer.status >= 300 && !isDuplicate(answer)) unwrap(answer);
};

/** The id by which an item is changed and removed, until the router starts again. */
export const idOf = (item: Fields): string => asText(item['.id']) ?? '';
