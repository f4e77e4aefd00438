import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { parseContractModel, type ContractModel } from '../../tools/contract/src/contract.js';
import type { ContractUnderTest } from '../../tools/contract/src/contracts.js';
import { isSafe } from '../../tools/contract/src/request.js';
import type { CredentialOptions } from '../../tools/contract/src/target/credentialSource.js';
import { noKey, scopesOf, type Key } from '../../tools/contract/src/target/keys.js';
import { makeLocalKeys } from '../scenarios/local/localKeys.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { exchangeSample, goodSample } from '../../tools/contract/src/target/scenarioContext.js';
import type { ScenarioContext, ScenarioPlan } from '../../tools/contract/src/target/target.js';
import { Problem } from '../../src/errors/problem.js';
import { startContractServer } from '../support/contractServer.js';

const file = join(import.meta.dirname, 'sessions.yaml');
const source = readFileSync(file, 'utf8');

export const sessionContract: ContractModel = parseContractModel(source, file);

/** What can be wrong with the service. */
export interface SessionDefects {
  /** Pages of other sites may do everything. */
  readonly acceptsOtherSites?: boolean;
  /** Staff may do what only administrators may. */
  readonly ignoresRoles?: boolean;
  readonly csv?: string;
  readonly event?: string;
  /** A reading of the own session is refused, as if nobody were signed in. */
  readonly forgetsSessions?: boolean;
}

/** What is right, and differs between services. */
export interface SessionRules {
  /** Who may sign in; everybody by default. */
  readonly users?: readonly string[];
  /** How often, with the right password or not. */
  readonly maxAttempts?: number;
}

/** Somebody whose attempts are used up. */
const lockedUser = 'gesperrt';

interface User {
  readonly id: number;
  readonly role: string;
}

interface HandlerRequest {
  readonly input: Readonly<Record<string, unknown>>;
  readonly principal: string;
  reply(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): unknown;
}

/** The scenario of one sign-in. */
const signInWith =
  (how: string, credentials: unknown) =>
  (context: ScenarioContext): ScenarioPlan => ({
    scenarios: [
      {
        how,
        send: () =>
          exchangeSample(context, { ...goodSample(context), body: JSON.stringify(credentials) }, noKey),
      },
    ],
  });

/** A service with `sessions.yaml` below /web: users and sessions in memory, and a stream of events that never ends. */
export const startSessionService = async (
  defects: SessionDefects = {},
  { users: known, maxAttempts = Infinity }: SessionRules = {},
): Promise<LocalService> => {
  const users = new Map<number, User>();
  const sessions = new Map<string, User>();
  let [lastId, attempts] = [0, 0];
  const addUser = (role: string): User => {
    const user = { id: (lastId += 1), role };
    users.set(user.id, user);
    return user;
  };
  const begin = (user: User): string => {
    const token = randomBytes(32).toString('base64url');
    sessions.set(token, user);
    return token;
  };
  const endAll = ({ id }: User): void => {
    for (const [token, user] of sessions) if (user.id === id) sessions.delete(token);
  };
  const userOf = (token: string): User => {
    const user = sessions.get(token);
    if (!user) throw new Problem('unauthorized');
    return user;
  };
  const server = await startContractServer({
    source,
    basePath: '/web',
    access: {
      anonymous: undefined,
      authenticate: (token) => (sessions.has(token) ? token : undefined),
      permits: (token, scope) =>
        scope === 'staff' || defects.ignoresRoles === true || sessions.get(token)?.role === scope,
    },
    handlers: {
      signIn: async ({ input, reply }: HandlerRequest) => {
        const { user, password } = input['body'] as { user: string; password: string };
        attempts += 1;
        if (attempts > maxAttempts || user === lockedUser)
          throw new Problem('rate_limited', {}, { 'Retry-After': '60' });
        if (password === 'falsch' || known?.includes(user) === false) throw new Problem('unauthorized');
        return reply(204, undefined, {
          'Set-Cookie': `sid=${begin(addUser('staff'))}; HttpOnly; SameSite=Lax`,
        });
      },
      signOut: async ({ principal, reply }: HandlerRequest) => {
        sessions.delete(principal);
        return reply(204);
      },
      getMe: async ({ principal, reply }: HandlerRequest) =>
        reply(200, userOf(defects.forgetsSessions ? '' : principal)),
      changePassword: async ({ principal, reply }: HandlerRequest) => {
        endAll(userOf(principal));
        return reply(204);
      },
      listUsers: async ({ reply }: HandlerRequest) => reply(200, { users: [...users.values()] }),
      removeUser: async ({ input, reply }: HandlerRequest) => {
        const { id } = input['path'] as { id: number };
        const user = users.get(id);
        if (!user) throw new Problem('not_found');
        users.delete(id);
        endAll(user);
        return reply(204);
      },
      exportVouchers: async ({ input, reply }: HandlerRequest) => {
        const { as } = input['query'] as { as?: string };
        if (as !== 'csv') return reply(200, { codes: ['4470344703'] });
        const csv = defects.csv ?? 'code\r\n4470344703\r\n';
        return reply(200, Buffer.from(csv), { 'Content-Type': 'text/csv; charset=utf-8' });
      },
      importVouchers: async ({ input, reply }: HandlerRequest) => {
        await readText(input['body'] as Readable);
        return reply(204);
      },
      watchEvents: async ({ reply }: HandlerRequest) => {
        const events = new PassThrough();
        events.write(defects.event ?? 'event: order\ndata: {}\n\n');
        return reply(200, events);
      },
    },
  });
  const front = await startOriginCheck(server.url, defects.acceptsOtherSites === true);
  const add = async ({ scope, revoked, expired }: CredentialOptions): Promise<Key> => {
    const token = begin(addUser(scope));
    if (revoked || expired) sessions.delete(token);
    return { text: () => token, scope, limit: 0 };
  };
  const credentials = { add: (_data: unknown, options: CredentialOptions) => add(options), neededTables: [] };
  const served: ContractUnderTest = {
    name: 'sessions',
    file,
    types: '',
    basePath: '/web',
    credentials: { ...credentials, canEnd: true, sameOriginOnly: true },
    hints: {
      signIn: {
        scenarios: {
          401: signInWith('with a wrong password', { user: 'berger', password: 'falsch' }),
          429: signInWith('after too many attempts', { user: lockedUser, password: 'falsch' }),
        },
      },
      removeUser: {
        prepare: async (sample) =>
          sample.path['id'] === '1' ? { ...sample, path: { id: String(addUser('staff').id) } } : sample,
      },
    },
    hintsFolder: 'test/contractRun',
  };
  const unused = () => Promise.reject(new Error('the contract documents no such status'));
  return {
    served,
    url: `${front.url}/web`,
    keys: await makeLocalKeys(scopesOf(sessionContract), served.credentials, add, {
      revoke: async ({ text }) => void sessions.delete(text()),
    }),
    mayHaveEnded: () => Promise.resolve(true),
    substitutions: { site_id: 1 },
    fixture: {
      sites: {
        healthy: [1, 2],
        refusing: 3,
        withoutVoucher: 4,
        withoutCode: 4,
        withoutId: 1,
        lost: 5,
        inactive: 6,
      },
      siteNames: new Map(),
      // It is behind something else.
      url: '',
      timeZone: 'UTC',
      recordedVouchers: async () => [],
      lastNotification: async () => undefined,
      madeVoucher: async () => undefined,
      administration: () => {
        throw new Error('this service has no database');
      },
      broken: unused,
      busy: unused,
    },
    close: async () => {
      await front.stop();
      await server.stop();
    },
  };
};

/** Refuses what pages of other sites send, and passes on everything else as it comes. */
const startOriginCheck = async (
  url: string,
  acceptsAll: boolean,
): Promise<{ url: string; stop(): Promise<void> }> => {
  const refusal = JSON.stringify({ error: 'forbidden', message: 'Nicht erlaubt' });
  const server = createServer((req, res) => {
    const { method = '', headers, url: path = '' } = req;
    if (!acceptsAll && !isSafe(method) && headers['sec-fetch-site'] !== 'same-origin') {
      res.writeHead(403, { 'Content-Type': 'application/json', 'X-Request-Id': 'front' }).end(refusal);
      return;
    }
    const passed = httpRequest(`${url}${path}`, { method, headers }, (from) => {
      res.writeHead(from.statusCode ?? 0, from.headers);
      res.flushHeaders();
      from.pipe(res);
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
