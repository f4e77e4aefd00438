import { rootCertificates } from 'node:tls';
import type { Config } from '../../config/config.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import { sanitizeLine } from '../../lib/label.js';
import { publicText } from '../../lib/publicText.js';
import type { CheckResult } from '../io.js';

/** What answers where the service should be. */
export type ServiceAnswer = { readonly url: string } & (
  | { readonly kind: 'none'; readonly error: string }
  | { readonly kind: 'other-program'; readonly status: number }
  | { readonly kind: 'not-ready'; readonly reason: string }
  /** `identity` tells its database from others; `mock` has none. */
  | { readonly kind: 'ready'; readonly identity: string | undefined }
);

/** A busy service may take a while; one that does not run is refused at once. */
const timeoutMs = 10_000;
/** No answer of ours comes near this. */
const maxAnswerBytes = 65_536;

/** Asks what listens at the address of the settings whether it is ready. */
export const askService = async (config: Config): Promise<ServiceAnswer> => {
  const url = readyUrl(config);
  try {
    const { statusCode: status, body, headers } = await ask(url, config);
    const { status: state, reason } = parseAnswer(body);
    if (status === 503 && state === 'unavailable')
      return { url, kind: 'not-ready', reason: sanitizeLine(publicText(String(reason))).slice(0, 300) };
    if (status !== 200 || state !== 'ready') return { url, kind: 'other-program', status };
    const { databaseIdentityHeader } = await import('../../pages/readiness.js');
    const identity = headers[databaseIdentityHeader.toLowerCase()];
    return { url, kind: 'ready', identity: typeof identity === 'string' ? identity : undefined };
  } catch (error) {
    return { url, kind: 'none', error: publicText(error) };
  }
};

const readyUrl = ({ host, port, unixSocket, tls, basePath }: Config): string => {
  const place = unixSocket
    ? `unix:${unixSocket.path}:`
    : `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  return `${tls ? 'https' : 'http'}://${place}${basePath}/readyz`;
};

const ask = async (url: string, { unixSocket, tls }: Config) => {
  const { got } = await import('got');
  // The certificate names the public host and may be self-signed; it is trusted because it is our own.
  const https = {
    certificateAuthority: [...rootCertificates, String(tls?.cert ?? '')],
    checkServerIdentity: () => undefined,
  };
  const asked = got(url, {
    timeout: { request: timeoutMs },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    enableUnixSockets: unixSocket !== undefined,
    ...(tls && { https }),
  });
  // Another program may have no end to its answer.
  void asked.on('downloadProgress', ({ transferred }) => {
    if (transferred > maxAnswerBytes) asked.cancel('its answer is too long');
  });
  return asked;
};

const parseAnswer = (body: string): { readonly status?: unknown; readonly reason?: unknown } => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

/** Is it a service that uses this database, as far as that can be told? */
export const isServing = (answer: ServiceAnswer, ownIdentity: string | undefined): boolean =>
  answer.kind === 'ready' && (answer.identity === undefined || answer.identity === ownIdentity);

/**
 * What the answer says. `ownIdentity` is that of the
 * database of the settings; undefined when it can't be read.
 */
export const describeService = (answer: ServiceAnswer, ownIdentity: string | undefined): CheckResult => {
  const { url } = answer;
  const check = 'service';
  switch (answer.kind) {
    case 'none':
      return {
        check,
        ok: false,
        message: `${url}: ${answer.error}`,
        remedy: `start it: ${formatCommandLine('serve')}`,
      };
    case 'other-program':
      return {
        check,
        ok: false,
        message: `${url}: another program answers there (${String(answer.status)})`,
        remedy: 'end that program, or set HOST, PORT and BASE_PATH to those of the service',
      };
    case 'not-ready':
      return {
        check,
        ok: false,
        message: `${url}: it runs, but is not ready: ${answer.reason}`,
        remedy: 'see the log of the service',
      };
    case 'ready':
      break;
  }
  if (ownIdentity === undefined)
    return {
      check,
      ok: false,
      message: `${url}: a service is ready there, but not known to be this one, because there is no database here to compare`,
      remedy: 'set DATA_DIR or DATABASE_URL to those of that service, and run this as its user',
    };
  if (answer.identity === undefined)
    return {
      check,
      ok: true,
      level: 'warning',
      message: `ready at ${url}, but it does not say which database it uses: it is a mock`,
      remedy: 'start this version of it',
    };
  return answer.identity === ownIdentity
    ? { check, ok: true, message: `ready at ${url}` }
    : {
        check,
        ok: false,
        message: `${url}: another voucherd answers there, which uses another database`,
        remedy: 'set HOST and PORT, and DATA_DIR or DATABASE_URL, to those of one service',
      };
};
