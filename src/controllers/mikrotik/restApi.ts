import type { System } from '../../lib/system.js';
import { publicText } from '../../lib/publicText.js';
import type { ControllerCredentials } from '../controller.js';
import { ControllerError, SettingsError, toKnownOutcome, withKnownOutcome } from '../errors.js';
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
  /** Reads a menu that has no items. Returns any answer but a refused sign-in. */
  read(menu: string, signal?: Signal): Promise<RestAnswer>;
  /** The properties in an answer to `read`; throws the error that an unsuccessful one means. */
  propertiesOf(answer: RestAnswer): Fields;
  /** The items of a menu. */
  print(menu: string, request: PrintRequest, signal: Signal): Promise<readonly Fields[]>;
  /** Adds an item. See `assertAdded`. */
  add(menu: string, item: Fields, signal: Signal): Promise<RestAnswer>;
  /** Throws unless an item was added, or was there already. */
  assertAdded(answer: RestAnswer): void;
  /** Changes an item. One that is gone is no error. */
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

  const send = async (request: ControllerRequest): Promise<RestAnswer> => {
    assertNotRefused();
    const headers = { authorization: `Basic ${basic}` };
    const reply = await connection.call({ ...request, path: `/rest${request.path}`, headers });
    if (reply.status === 401) {
      refusedUntil = system.now() + refusedForMs;
      assertNotRefused();
    }
    return parseRestAnswer(reply);
  };

  /** For calls that may be repeated: nothing is made that could be lost. */
  const sendKnown = (request: ControllerRequest): Promise<RestAnswer> => withKnownOutcome(send(request));

  const contentOf = (answer: RestAnswer): object => {
    const { status, body } = answer;
    if (status < 300 && typeof body === 'object' && body !== null) return body;
    throw toKnownOutcome(toRestError(answer, { name, safe }));
  };

  const toItems = (answer: RestAnswer): readonly Fields[] => {
    const items = contentOf(answer);
    if (!Array.isArray(items)) throw new ControllerError(name, { kind: 'unreadable', reason: 'list' });
    return items.map(asFields);
  };

  const print: RestApi['print'] = async (menu, { properties, where }, signal) => {
    const [property = '', values = []] = where ?? [];
    // What is asked by is shown, too.
    const shown = properties && where ? [...new Set([...properties, property])] : properties;
    if (values.length > 1) {
      const query = [...values.map((value) => `${property}=${value}`), `#${'|'.repeat(values.length - 1)}`];
      const json = { '.query': query, ...(shown && { '.proplist': shown }) };
      const path = `${menu}/print`;
      return onlyWhere(where, toItems(await sendKnown({ method: 'POST', path, json, signal })));
    }
    const search = new URLSearchParams({
      ...(values[0] !== undefined && { [property]: values[0] }),
      ...(shown && { '.proplist': shown.join(',') }),
    }).toString();
    const path = `${menu}${search === '' ? '' : `?${search}`}`;
    return onlyWhere(where, toItems(await sendKnown({ method: 'GET', path, signal })));
  };

  const expectDone = (answer: RestAnswer): void => {
    if (answer.status >= 300 && !isGone(answer)) throw toKnownOutcome(toRestError(answer, { name, safe }));
  };

  /** Without an id the path would be that of the whole menu. */
  const pathOf = (menu: string, id: string): string => {
    if (id === '') throw new ControllerError(name, { kind: 'unreadable', reason: 'list' });
    return `${menu}/${encodeURIComponent(id)}`;
  };

  return {
    read: (menu, signal) => sendKnown({ method: 'GET', path: menu, signal }),
    propertiesOf: (answer) => asFields(contentOf(answer)),
    print,
    add: (menu, item, signal) => send({ method: 'PUT', path: menu, json: item, signal }),
    assertAdded: (answer) => {
      if (answer.status >= 300 && !isDuplicate(answer)) throw toRestError(answer, { name, safe });
    },
    change: async (menu, id, changes, signal) =>
      expectDone(await sendKnown({ method: 'PATCH', path: pathOf(menu, id), json: changes, signal })),
    remove: async (menu, id, signal) =>
      expectDone(await sendKnown({ method: 'DELETE', path: pathOf(menu, id), signal })),
  };
};

/** What an item is removed by is looked at here, too, so that no router can show too many. */
const onlyWhere = (where: PrintRequest['where'], items: readonly Fields[]): readonly Fields[] => {
  if (!where) return items;
  const [property, values] = where;
  const wanted = new Set<unknown>(values);
  return items.filter((item) => wanted.has(item[property]));
};

/** The id by which an item is changed and removed, until the router starts again. */
export const idOf = (item: Fields): string => asText(item['.id']) ?? '';
