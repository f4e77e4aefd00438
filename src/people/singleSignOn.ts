import type { Configuration, UserInfoResponse } from 'openid-client';
import type { SingleSignOnConfig } from '../config.js';
import type { Log } from '../lib/log.js';
import { Refusal } from '../lib/problem.js';
import type { System } from '../lib/system.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { SecretError, singleSignOnBinding, type Secrets } from '../secrets/encryption.js';
import type { Role, StoredUser, UserTable } from '../storage/users.js';
import type { Actor } from './audit.js';
import type { KnownBrowsers } from './knownBrowsers.js';
import { PeopleRefusal } from './refusal.js';
import type { RefusedSignIn } from './refusedSignIns.js';
import type { Client, NewSession, Sessions } from './sessions.js';
import type { SignInThrottle } from './signInThrottle.js';
import { parseEmail, parseUserName, toUserKey } from './texts.js';
import type { Users } from './users.js';

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
}

/** How long somebody may take at the provider. */
export const pendingSeconds = 600;
const timeoutSeconds = 5;
/** What a provider says about itself may change. */
const discoveryLifetimeMs = 3_600_000;
/** A provider that does not answer is not asked for each browser. */
const failureLifetimeMs = 5000;
const clockToleranceSeconds = 60;

/** What belongs to one sign-in between its two steps. */
interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly callback: string;
  readonly at: number;
}

export const makeSingleSignOn = (deps: SingleSignOnDeps): SingleSignOn => {
  const { config, table, users, sessions, knownBrowsers, system, log } = deps;
  // Loaded at the first use: most services have no provider.
  const library = () => import('openid-client');
  let discovered: { readonly configuration: Promise<Configuration>; until: number } | undefined;

  const discover = async (): Promise<Configuration> => {
    const client = await library();
    const { discovery, clockTolerance, enableNonRepudiationChecks } = client;
    const { issuer, clientId, clientSecret } = config;
    // oxlint-disable-next-line typescript/no-deprecated -- only on this machine, which the configuration makes sure of
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    return discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [clockTolerance]: clockToleranceSeconds },
      undefined,
      { timeout: timeoutSeconds, execute: [...insecure, enableNonRepudiationChecks] },
    );
  };

  /** The provider, asked once for all who sign in at the same time. */
  const provider = async (): Promise<Configuration> => {
    const now = performance.now();
    if (!discovered || now > discovered.until)
      discovered = { configuration: discover(), until: now + discoveryLifetimeMs };
    const current = discovered;
    try {
      return await current.configuration;
    } catch (error) {
      current.until = Math.min(current.until, performance.now() + failureLifetimeMs);
      log.warn({ err: toLogError(error), issuer: config.issuer }, 'identity provider can not be used');
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
  const fetchClaims = async (answer: SingleSignOnAnswer, pending: Pending): Promise<UserInfoResponse> => {
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
      return { ...claims, ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
    } catch (error) {
      log.warn({ err: toLogError(error), issuer: config.issuer }, 'single sign-on refused');
      throw refusal('single-sign-on-refused', 'the identity provider refused, or its answer does not verify');
    }
  };

  /** Finds the user, or makes one where roles come from the provider. */
  const findOrCreate = async (
    email: string,
    role: Role | undefined,
    claims: UserInfoResponse,
    client: Client,
  ): Promise<StoredUser> => {
    const key = toUserKey(email);
    const actor: Actor = { kind: 'system', name: config.name, address: client.address };
    const found = await table.findByKey(key);
    // Only an address that an administrator or the provider gave counts, not a name that looks like one.
    if (found?.emailKey === key) {
      if (found.disabledAt !== null) return found;
      if (role !== undefined && role !== found.role) await users.setRole(found.id, role, actor);
      // Somebody who signs in here never got the password that was made for them.
      if (found.passwordIsTemporary) await users.removePassword(found.id, actor);
    } else {
      if (role === undefined) throw refusal('single-sign-on-unknown', 'there is no user with this address');
      await createUser({ email, role, name: claims.name }, actor);
    }
    const user = await table.findByKey(key);
    if (!user) throw new PeopleRefusal('unknown-user');
    return user;
  };

  /** The address stands for a name that is missing, or that somebody else has. */
  const createUser = async (
    { email, role, name }: { readonly email: string; readonly role: Role; readonly name: string | undefined },
    actor: Actor,
  ): Promise<void> => {
    const create = (as: string) => users.create({ name: as, email, role, password: null }, actor);
    const wanted = toName(name);
    if (wanted === undefined) await create(email);
    else
      await create(wanted).catch((error: unknown) => {
        if (error instanceof PeopleRefusal && error.reason === 'name-taken') return create(email);
        throw error;
      });
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
        const email = toVerifiedEmail(claims);
        user = await findOrCreate(email, roleIn(claims, config), claims, client);
        if (user.disabledAt !== null) throw refusal('single-sign-on-disabled', 'this user is disabled');
        const begun = await sessions.begin(user, client, { secondFactor: false });
        if (!begun) throw refusal('single-sign-on-expired', 'the user was changed meanwhile');
        await attempt.takeBack();
        return { ...begun, browserToken: await knownBrowsers.remember(user.id, client.browserToken) };
      } catch (error) {
        if (error instanceof Refusal)
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

const refusal = (reason: string, message: string): Refusal => new Refusal(reason, message);

/** An error without its cause, which may hold tokens. */
const toLogError = (error: unknown): { message: string; code?: string } => ({
  message: error instanceof Error ? error.message : 'unknown',
  ...(error instanceof Error && 'code' in error && { code: String(error.code) }),
});

/** Only an address that the provider has verified, and that does not merely look like another one. */
const toVerifiedEmail = ({ email, email_verified: isVerified }: UserInfoResponse): string => {
  const refused = refusal('single-sign-on-email', 'the provider tells no verified e-mail address');
  if (typeof email !== 'string' || isVerified !== true || email.normalize('NFKC') !== email) throw refused;
  try {
    return parseEmail(email);
  } catch {
    throw refused;
  }
};

/** The role that the provider gives; undefined when administrators give it. */
const roleIn = (
  claims: UserInfoResponse,
  { roleClaim, adminValue }: SingleSignOnConfig,
): Role | undefined => {
  if (roleClaim === undefined) return undefined;
  const claim: unknown = claims[roleClaim];
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  if (values.every((value) => typeof value !== 'string' || value === ''))
    throw refusal('single-sign-on-role', 'the provider gives no role');
  return values.includes(adminValue) ? 'admin' : 'staff';
};

const toName = (name: unknown): string | undefined => {
  try {
    // A name that looks like an address would be in the way of whoever has it.
    return typeof name === 'string' && !name.includes('@') ? parseUserName(name) : undefined;
  } catch {
    return undefined;
  }
};
