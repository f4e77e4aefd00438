import { waitOrAbort } from '../deadline.js';
import { ControllerError, deadlineError, withKnownOutcome, SettingsError } from '../errors.js';
import type { Connection } from '../https/connection.js';
import { asFields, asText } from '../parsing.js';
import { parseOmadaAnswer, toOmadaError, type OmadaAnswer } from './answer.js';

/** Tells who the controller is, without a token. */
export const omadaInfoPath = '/api/info';

/** What the controller tells of itself. */
interface OmadaInfo {
  /** Its id, which is part of all paths. */
  readonly omadacId: string;
  readonly version: string | undefined;
}

/**
 * A token, with the id of the controller it is for. The
 * secret is only in a closure, so that it can't be logged.
 */
export interface OmadaToken {
  readonly omadacId: string;
  headers(): Readonly<Record<string, string>>;
}

/** The one token for a controller, shared by all calls. */
export interface OmadaTokens {
  info(): Promise<OmadaInfo>;
  /** The current token or a new one; concurrent callers share one request. */
  get(signal?: AbortSignal): Promise<OmadaToken>;
  /** Drops a token that the controller refuses, unless it was replaced already. */
  drop(token: OmadaToken): void;
  /** Text of the controller, safe to show. */
  safe(text: string): string;
}

/** An application that was created for voucherd on the controller. */
export interface OmadaClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Pasted values may end with a line break. */
export const parseOmadaClient = (credentials: Readonly<Record<string, string>>): OmadaClient => {
  const clientId = credentials['clientId']?.trim() ?? '';
  const clientSecret = credentials['clientSecret']?.trim() ?? '';
  if (clientId === '') throw new SettingsError('client-id', 'is missing');
  if (clientSecret === '') throw new SettingsError('client-secret', 'is missing');
  return { clientId, clientSecret };
};

interface OmadaTokensOptions {
  readonly connection: Connection;
  readonly client: OmadaClient;
  /** The controller's name, for messages. */
  readonly name: string;
  /** Makes text safe to show that may hold one of these secrets. */
  redact(text: string, secrets: readonly string[]): string;
}

/** Ids come from the controller and become part of paths. */
const idPattern = /^[\w-]{1,64}$/;

const tokenPattern = /^[\x21-\x7e]{1,8192}$/;

export const makeOmadaTokens = ({ connection, client, name, redact }: OmadaTokensOptions): OmadaTokens => {
  let current: { readonly token: OmadaToken; readonly secret: string } | undefined;
  let pending: Promise<OmadaToken> | undefined;

  const safe = (text: string): string =>
    redact(text, [client.clientSecret, client.clientId, ...(current ? [current.secret] : [])]);

  const unwrap = (answer: OmadaAnswer): ReturnType<typeof asFields> => {
    if (answer.status >= 300 || answer.errorCode !== 0) throw toOmadaError(answer, { name, safe });
    return asFields(answer.result);
  };
  const unreadable = (): ControllerError =>
    new ControllerError(name, { kind: 'unreadable', reason: 'answer' });

  const info = async (): Promise<OmadaInfo> => {
    const reply = await withKnownOutcome(connection.call({ method: 'GET', path: omadaInfoPath }));
    const fields = await withKnownOutcome(Promise.resolve(parseOmadaAnswer(reply)).then(unwrap));
    const omadacId = asText(fields['omadacId']);
    if (omadacId === undefined || !idPattern.test(omadacId)) throw unreadable();
    return { omadacId, version: asText(fields['controllerVer']) };
  };

  /** Asks for the id each time: a controller that was set up anew has another one. */
  const renew = async (): Promise<OmadaToken> => {
    const { omadacId } = await info();
    const reply = await withKnownOutcome(
      connection.call({
        method: 'POST',
        path: '/openapi/authorize/token?grant_type=client_credentials',
        json: { omadacId, client_id: client.clientId, client_secret: client.clientSecret },
      }),
    );
    const fields = await withKnownOutcome(Promise.resolve(parseOmadaAnswer(reply)).then(unwrap));
    const secret = asText(fields['accessToken']) ?? '';
    if (!tokenPattern.test(secret)) throw unreadable();
    const token: OmadaToken = {
      omadacId,
      headers: () => ({ authorization: `AccessToken=${secret}` }),
    };
    current = { token, secret };
    return token;
  };

  const share = (): Promise<OmadaToken> =>
    (pending ??= renew().finally(() => {
      pending = undefined;
    }));

  return {
    info,
    get: async (signal) => {
      if (signal?.aborted) throw deadlineError(name);
      return waitOrAbort(current ? Promise.resolve(current.token) : share(), name, signal);
    },
    drop: (token) => {
      if (current?.token === token) current = undefined;
    },
    safe,
  };
};
