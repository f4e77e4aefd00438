import type { Configuration } from 'openid-client';
import type { SingleSignOnConfig } from '../config/singleSignOnEnvironment.js';
import { makeFindProviderUser, OtherPerson } from './providerUser.js';
import { discoverProvider } from './providerDiscovery.js';
import { describeProviderError } from './providerError.js';
import type { Log } from '../log/log.js';
import { Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { SecretError, singleSignOnBinding, type Secrets } from '../secrets/encryption.js';
import type { StoredUser, UserTable } from '../users/userTable.js';
import { mergeClaims, type Claims } from './claims.js';
import type { NotifyUser } from '../users/accountNotice.js';
import type { KnownBrowsers } from './knownBrowsers.js';
import { notifyOfNewBrowser } from './newBrowser.js';
import type { RefusedSignIn } from './refusedSignIns.js';
import type { Client, NewSession, Sessions } from './sessions.js';
import type { SignInThrottle } from './signInThrottle.js';
import type { Users } from '../users/users.js';

/** What the provider sends a browser back with. */
export interface SingleSignOnAnswer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
  readonly iss?: string | undefined;
}

/** Sign-in at an OpenID Connect provider: code flow with PKCE. Both steps throw `Refusal`. */
export interface SingleSignOn {
  /** What the provider is called. */
  readonly name: string;
  /** Where to send a browser, and what it has to bring back. `callback` is our own address. */
  begin(callback: string): Promise<{ readonly url: string; readonly pending: string }>;
  /** Signs in the person that the provider vouches for. */
  end(
    answer: SingleSignOnAnswer,
    pending: string | undefined,
    callback: string,
    client: Client,
  ): Promise<NewSession>;
}

interface SingleSignOnDeps {
  readonly config: SingleSignOnConfig;
  readonly table: UserTable;
  readonly users: Users;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly system: System;
  readonly log: Log;
  /** Seals what a browser keeps between the two steps, so that any process can do the second one. */
  secrets(): Secrets;
  /** Makes the secret key if there is none, and nothing that it would have to open. */
  readonly writeSealed: RotationSafeWriter['replace'];
  readonly knownBrowsers: KnownBrowsers;
  readonly throttle: SignInThrottle;
  record(refused: RefusedSignIn): Promise<unknown>;
  readonly notify: NotifyUser;
}

/** How long somebody may take at the provider. */
export const pendingSeconds = 600;
/** What a provider says about itself may change. */
const discoveryLifetimeMs = 3_600_000;
/** A provider that does not answer is not asked for each browser. */
const failureLifetimeMs = 5000;

/** What belongs to one sign-in between its two steps. */
interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly callback: string;
  readonly at: number;
}

export const makeSingleSignOn = (deps: SingleSignOnDeps): SingleSignOn => {
  const { config, sessions, knownBrowsers, system, log } = deps;
  const findProviderUser = makeFindProviderUser(deps);
  // Loaded at the first use: most services have no provider.
  const library = () => import('openid-client');
  let discovered: { readonly configuration: Promise<Configuration>; until: number } | undefined;

  // Anybody may begin a sign-in: one and the same line for each would fill the log.
  let failure: string | undefined;

  const toReason = (error: unknown): string => describeProviderError(error, config.clientSecret);

  /** The provider, asked once for all who sign in at the same time. */
  const provider = async (): Promise<Configuration> => {
    const now = performance.now();
    if (!discovered || now > discovered.until)
      discovered = { configuration: discoverProvider(config), until: now + discoveryLifetimeMs };
    const current = discovered;
    try {
      const configuration = await current.configuration;
      failure = undefined;
      return configuration;
    } catch (error) {
      current.until = Math.min(current.until, performance.now() + failureLifetimeMs);
      const reason = toReason(error);
      if (reason !== failure)
        log.warn({ reason, issuer: config.issuer }, 'identity provider can not be used');
      failure = reason;
      throw refusal('single-sign-on-unavailable', 'the identity provider does not answer');
    }
  };

  const sealPending = async (pending: Pending): Promise<string> => {
    const seal = (secrets: Secrets): string => secrets.seal(JSON.stringify(pending), singleSignOnBinding);
    try {
      return seal(deps.secrets());
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      return deps.writeSealed(async (secrets) => seal(secrets));
    }
  };

  const openPending = (sealed: string | undefined, callback: string): Pending => {
    const expired = refusal('single-sign-on-expired', 'the sign-in took too long, or began elsewhere');
    if (sealed === undefined) throw expired;
    try {
      const pending = JSON.parse(deps.secrets().open(sealed, singleSignOnBinding)) as Pending;
      const age = system.now() - pending.at;
      if (age >= 0 && age < pendingSeconds * 1000 && pending.callback === callback) return pending;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
    }
    throw expired;
  };

  /** What the provider says about the person. Whatever does not verify is refused. */
  const fetchClaims = async (answer: SingleSignOnAnswer, pending: Pending): Promise<Claims> => {
    const configuration = await provider();
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const url = new URL(pending.callback);
    for (const [name, value] of Object.entries(answer))
      if (value !== undefined) url.searchParams.set(name, String(value));
    try {
      const tokens = await authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('no ID token');
      const isComplete =
        claims['email'] !== undefined &&
        (config.roleClaim === undefined || claims[config.roleClaim] !== undefined);
      if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Some providers keep the ID token short.
      return mergeClaims(claims, await fetchUserInfo(configuration, tokens.access_token, claims.sub));
    } catch (error) {
      log.warn({ reason: toReason(error), issuer: config.issuer }, 'single sign-on refused');
      throw refusal('single-sign-on-refused', 'the identity provider refused, or its answer does not verify');
    }
  };

  return {
    name: config.name,
    begin: async (callback) => {
      const configuration = await provider();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      const random = (): string => system.randomBytes(32).toString('base64url');
      const [state, nonce, verifier] = [random(), random(), random()];
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const pending: Pending = { state, nonce, verifier, callback, at: system.now() };
      return { url: url.href, pending: await sealPending(pending) };
    },
    end: async (answer, sealed, callback, client) => {
      const { address } = client;
      const pending = openPending(sealed, callback);
      // Each answer makes us ask the provider.
      const browser = await knownBrowsers.find(client.browserToken);
      const attempt = await deps.throttle.count(
        browser === undefined
          ? { kind: 'elsewhere', address }
          : { kind: 'browser', id: browser, userId: null },
      );
      if (!attempt.accepted) {
        const { by: reason } = attempt;
        await deps.record({ action: 'user.sign-in-throttled', user: undefined, address, reason });
        throw refusal('single-sign-on-throttled', 'too many attempts from this address or browser');
      }
      const claims = await fetchClaims(answer, pending);
      let user: StoredUser | undefined;
      try {
        user = await findProviderUser(claims, address);
        if (user.disabledAt !== null) throw refusal('single-sign-on-disabled', 'this user is disabled');
        const begun = await sessions.begin(user, client, { secondFactor: false });
        if (!begun) throw refusal('single-sign-on-expired', 'the user was changed meanwhile');
        await attempt.takeBack();
        await notifyOfNewBrowser({ knownBrowsers, notify: deps.notify }, user, client);
        return { ...begun, browserToken: await knownBrowsers.remember(user.id, client.browserToken) };
      } catch (error) {
        if (error instanceof OtherPerson)
          await deps.record({
            action: 'user.sign-in-refused',
            user: error.user,
            address,
            reason: 'other person',
          });
        else if (error instanceof Refusal)
          await deps.record({
            action: 'user.sign-in-refused',
            user,
            address,
            reason: user?.disabledAt ? 'disabled' : 'single sign-on',
          });
        throw error;
      }
    },
  };
};

/** The sign-in at the current provider, which is asked about itself again once its settings have changed. */
export const makeCurrentSingleSignOn = (
  current: () => Promise<SingleSignOnConfig | undefined>,
  make: (config: SingleSignOnConfig) => SingleSignOn,
): (() => Promise<SingleSignOn | undefined>) => {
  let made: { readonly config: SingleSignOnConfig; readonly singleSignOn: SingleSignOn } | undefined;
  return async () => {
    const config = await current();
    if (!config) return undefined;
    if (made?.config !== config) made = { config, singleSignOn: make(config) };
    return made.singleSignOn;
  };
};

const refusal = (code: string, message: string): Refusal => new Refusal(code, message);
