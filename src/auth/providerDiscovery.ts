import type { Configuration } from 'openid-client';
import type { SingleSignOnConfig } from '../config/singleSignOnEnvironment.js';
import { resolveServer } from '../ssrf/serverAddress.js';

const timeoutSeconds = 5;
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
  return discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [clockTolerance]: clockToleranceSeconds },
    undefined,
    {
      timeout: timeoutSeconds,
      execute: [...insecure, enableNonRepudiationChecks],
      [customFetch]: guardedFetch,
    },
  );
};

/** A provider may name any address as one of its own. Those that no server has are not asked. */
const guardedFetch = async (url: string, options: RequestInit): Promise<Response> => {
  await resolveServer(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'));
  const response = await fetch(url, options);
  const { status, statusText, headers } = response;
  const body = await readBounded(response);
  return new Response(body.length === 0 ? null : body, { status, statusText, headers });
};

const readBounded = async ({ body }: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};
