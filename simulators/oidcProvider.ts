import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What an OpenID Connect provider does wrong. */
export interface ProviderFaults {
  /** Never answers. */
  readonly isSilent?: boolean;
  /** Answers everything with 500. */
  readonly isBroken?: boolean;
  /** What it says about itself instead. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Signs with another key than the one it publishes. */
  readonly hasWrongKey?: boolean;
  /** Changes claims of the ID token: a wrong nonce, audience, issuer or time. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Sends people back with this error instead of a code. */
  readonly error?: string;
}

/** A provider that signs in one person without asking, on a loopback socket. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How many requests it had, by path. */
  readonly counts: ReadonlyMap<string, number>;
  /** Who is signed in next: the claims besides the technical ones. */
  person(claims: Readonly<Record<string, unknown>>): void;
  /** What is told at the userinfo endpoint instead of in the ID token. */
  userInfo(claims: Readonly<Record<string, unknown>>): void;
  behave(faults: ProviderFaults): void;
  stop(): Promise<void>;
}

interface Grant {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
}

const keyId = 'key-1';
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signToken = (claims: object, key: KeyObject): string => {
  const input = `${encode({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
};

const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Starts the provider. It knows one client, allows PKCE with S256 only, and takes each code once. */
export const startOidcProvider = async (): Promise<OidcProvider> => {
  const [keys, otherKeys] = [makeKeys(), makeKeys()];
  const clientId = 'voucherd';
  const clientSecret = randomBytes(24).toString('base64url');
  const grants = new Map<string, Grant>();
  const tokens = new Set<string>();
  const counts = new Map<string, number>();
  let person: Readonly<Record<string, unknown>> = {};
  let info: Readonly<Record<string, unknown>> = {};
  let faults: ProviderFaults = {};

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const value = (name: string): string => query.get(name) ?? '';
    const isValid =
      value('client_id') === clientId &&
      value('response_type') === 'code' &&
      value('scope').split(' ').includes('openid') &&
      value('code_challenge_method') === 'S256' &&
      value('code_challenge') !== '';
    if (!isValid) {
      send(response, 400, { error: 'invalid_request' });
      return;
    }
    const back = new URL(value('redirect_uri'));
    back.searchParams.set('state', value('state'));
    if (faults.error === undefined) {
      const code = randomBytes(16).toString('hex');
      grants.set(code, {
        redirectUri: value('redirect_uri'),
        challenge: value('code_challenge'),
        nonce: value('nonce'),
      });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', faults.error);
    response.writeHead(302, { location: back.href }).end();
  };

  const isClient = (form: URLSearchParams, authorization: string | undefined): boolean => {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    return (
      authorization === `Basic ${basic}` ||
      (form.get('client_id') === clientId && form.get('client_secret') === clientSecret)
    );
  };

  const issueTokens = (form: URLSearchParams, request: IncomingMessage, response: ServerResponse): void => {
    if (!isClient(form, request.headers.authorization)) {
      send(response, 401, { error: 'invalid_client' });
      return;
    }
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
      send(response, 400, { error: 'invalid_grant' });
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: clientId,
      sub: 'person-1',
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      ...person,
      ...faults.claims,
    };
    const accessToken = randomBytes(16).toString('hex');
    tokens.add(accessToken);
    const key = faults.hasWrongKey === true ? otherKeys.privateKey : keys.privateKey;
    send(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: signToken(claims, key),
    });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    if (faults.isSilent === true) return;
    if (faults.isBroken === true) {
      send(response, 500, { error: 'server_error' });
      return;
    }
    switch (pathname) {
      case '/.well-known/openid-configuration':
        send(response, 200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
          ...faults.metadata,
        });
        return;
      case '/keys':
        send(response, 200, {
          keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }],
        });
        return;
      case '/authorize':
        authorize(searchParams, response);
        return;
      case '/token':
        issueTokens(new URLSearchParams(await text(request)), request, response);
        return;
      case '/userinfo': {
        const isKnown = tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, ''));
        send(response, isKnown ? 200 : 401, isKnown ? { sub: person['sub'] ?? 'person-1', ...info } : {});
        return;
      }
      default:
        send(response, 404, {});
    }
  };

  return {
    issuer,
    clientId,
    clientSecret,
    counts,
    person: (claims) => {
      person = claims;
      info = {};
    },
    userInfo: (claims) => {
      info = claims;
    },
    behave: (given) => {
      faults = given;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
