import { once } from 'node:events';
import type { Response as GotResponse } from 'got';
import type { Configuration, CustomFetch } from 'openid-client';
import type { SingleSignOnConfig } from '../config/singleSignOnEnvironment.js';
import { serverGuard } from '../ssrf/serverAddress.js';
import { providerTimeoutSeconds } from './providerError.js';

const clockToleranceSeconds = 60;
/** More than any provider says about itself, and few enough to be held in memory. */
const maxAnswerBytes = 1024 * 1024;

/** Asks a provider what it says about itself. What is asked later goes the same guarded way. */
export const discoverProvider = async (config: SingleSignOnConfig): Promise<Configuration> => {
  // Loaded at the first use: most services have no provider.
  const client = await import('openid-client');
  const { discovery, clockTolerance, customFetch, enableNonRepudiationChecks } = client;
  const { issuer, clientId, clientSecret } = config;
  // oxlint-disable-next-line typescript/no-deprecated -- only on this machine, which the configuration makes sure of
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [clockTolerance]: clockToleranceSeconds },
    undefined,
    {
      timeout: providerTimeoutSeconds,
      execute: [...insecure, enableNonRepudiationChecks],
      [customFetch]: guardedFetch,
    },
  );
  const metadata = configuration.serverMetadata();
  for (const name of neededAddresses)
    if (!isWebAddress(metadata[name])) throw new Error(`the provider names no valid ${name}`);
  return configuration;
};

/** What a sign-in needs. The library finds out only when it is used. */
const neededAddresses = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/**
 * A provider may name any address as one of its own. Those that no server has are not asked, and a name is
 * connected to by the address that was checked. Redirects are not followed.
 */
const guardedFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  const { got } = await import('got');
  const stream = got.stream(serverGuard.check(url), {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    // What the library sends is a form.
    ...(body instanceof URLSearchParams && { body: body.toString() }),
    dnsLookup: serverGuard.lookup,
    ...(signal && { signal }),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
  // An error may occur between the head of the answer and the reading of its body, when nothing else listens.
  stream.on('error', () => undefined);
  const [response] = (await once(stream, 'response')) as [GotResponse];
  const answer = await readBounded(stream);
  const answerHeaders = Object.entries(response.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Response(answer.length === 0 ? null : answer, {
    status: response.statusCode,
    headers: answerHeaders,
  });
};

const readBounded = async (body: AsyncIterable<unknown>): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};
