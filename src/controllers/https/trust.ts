import type { X509Certificate } from 'node:crypto';
import { Agent } from 'node:https';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, createSecureContext, type ConnectionOptions, type TLSSocket } from 'node:tls';

import type { CertificateFailure } from '../failure.js';
import type { ConnectionSettings } from './settings.js';
import { ControllerError, unreachableError } from '../errors.js';

interface TrustedAgentOptions {
  readonly settings: ConnectionSettings;
  /** What the controller is called, for what is said about it. */
  readonly name: string;
  /** For the connection and the handshake, a second try included. */
  readonly connectMs: number;
}

/** Kept-alive connections to one controller. Only one whose certificate is trusted ever carries a request. */
interface TrustedAgent {
  readonly agent: Agent;
  /** Ends every connection, also those that are only being made. */
  destroy(): void;
}

/**
 * Servers close connections that rest, some after 5 s. A request that crosses with that may or may not have been
 * read, so connections are left before.
 */
const idleTimeoutMs = 4000;

/** Node's own 250 ms for each of several addresses are few for a console behind a slow line. */
const attemptTimeoutMs = 1000;

const retryDelayMs = 200;

export const makeTrustedAgent = ({ settings, name, connectMs }: TrustedAgentOptions): TrustedAgent => {
  const { url, fingerprint, ca, maxCalls } = settings;
  const { hostname, port } = new URL(url);
  // An IPv6 address stands in brackets in a URL.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const options: ConnectionOptions & TcpNetConnectOpts = {
    host,
    port: port === '' ? 443 : Number(port),
    ...(isIP(host) === 0 && { servername: host }),
    secureContext: createSecureContext({ ca }),
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    timeout: idleTimeoutMs,
  };
  const openings = new Set<AbortController>();

  /**
   * Node ends the connection to a server that it does not trust without a word about its certificate. So the
   * handshake is let through, and Node's judgement, `authorized`, is insisted on here, before anything is sent.
   */
  const judge = (socket: TLSSocket): ControllerError | undefined => {
    const certificate = socket.getPeerX509Certificate();
    const seen = certificate?.fingerprint256;
    if (fingerprint !== undefined)
      return seen === fingerprint
        ? undefined
        : new ControllerError(name, { trouble: 'other-certificate', fingerprint: seen });
    const failure = findCertificateFailure(socket, certificate, host);
    return failure && new ControllerError(name, { trouble: 'certificate', ...failure, fingerprint: seen });
  };

  const open = (signal: AbortSignal): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const socket = connect(options);
      const settle = (): void => {
        socket.off('error', fail).off('close', closed);
        signal.removeEventListener('abort', aborted);
      };
      const fail = (error: Error): void => {
        settle();
        // What an ended connection still has to say must not go unheard: that would end the process.
        socket.on('error', () => undefined).destroy();
        reject(error);
      };
      const closed = (): void => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
      const aborted = (): void => fail(signal.reason as Error);
      socket.on('error', fail).on('close', closed);
      signal.addEventListener('abort', aborted);
      socket.once('secureConnect', () => {
        const refusal = judge(socket);
        if (refusal) {
          fail(refusal);
        } else {
          settle();
          resolve(socket);
        }
      });
    });

  /** Nothing was sent yet: a connection that could not be made, as to a console that restarts, is tried once more. */
  const openTwice = async (): Promise<TLSSocket> => {
    const opening = new AbortController();
    const { signal } = opening;
    const timer = setTimeout(
      () => opening.abort(unreachableError(name, { code: 'ETIMEDOUT' })),
      connectMs,
    ).unref();
    openings.add(opening);
    try {
      return await open(signal).catch(async (error: unknown) => {
        if (error instanceof ControllerError) throw error;
        await pause(retryDelayMs, undefined, { signal });
        return open(signal);
      });
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      throw reason instanceof ControllerError ? reason : unreachableError(name, reason);
    } finally {
      clearTimeout(timer);
      openings.delete(opening);
    }
  };

  // How many there are is decided by who may call. With `maxSockets`, which also counts connections that are just being
  // dropped, an agent would open one for each of those, all for the same waiting request.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: maxCalls, timeout: idleTimeoutMs });
  type Opened = (error: Error | null, socket?: TLSSocket) => void;
  agent.createConnection = (_options, callback) => {
    const opened = callback as Opened;
    openTwice().then(
      (socket) => opened(null, socket),
      (error: unknown) => opened(error as Error),
    );
    return undefined;
  };

  return {
    agent,
    destroy: () => {
      for (const opening of openings) opening.abort(unreachableError(name, { code: 'ECONNABORTED' }));
      agent.destroy();
    },
  };
};

/** A chain is longer than this only when somebody wants to keep us busy. */
const maxChain = 10;
const maxNamesLength = 200;

/**
 * Why Node does not trust the certificate that this connection was answered with; undefined when it does. The
 * certificate is handed in, because Node gives it out once only.
 */
export const findCertificateFailure = (
  socket: TLSSocket,
  leaf: X509Certificate | undefined,
  host: string,
): CertificateFailure | undefined => {
  if (socket.authorized) return undefined;
  // Typed as an error, it is the error's code.
  const code = String(socket.authorizationError);
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return { reason: 'self-signed' };
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return { reason: 'unknown-ca' };
    // It may be any certificate of the chain that has expired: the first one to do so.
    case 'CERT_HAS_EXPIRED':
      return { reason: 'expired', validTo: chainOf(leaf, 'validTo').at(0) ?? '' };
    case 'CERT_NOT_YET_VALID':
      return { reason: 'not-yet-valid', validFrom: chainOf(leaf, 'validFrom').at(-1) ?? '' };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { reason: 'host-name', host, names: namesOf(leaf) };
    default:
      return { reason: 'other', code };
  }
};

/** Days of a certificate and of those that it was signed with, the earliest first. */
const chainOf = (leaf: X509Certificate | undefined, field: 'validFrom' | 'validTo'): string[] => {
  const days: string[] = [];
  for (let one = leaf; one && days.length < maxChain; one = one.issuerCertificate)
    days.push(toIsoDay(one[field]));
  return days.sort();
};

/** `2026-11-14`, of a date as certificates have it; what is none stays as it is. */
export const toIsoDay = (text: string): string => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString().slice(0, 10);
};

/** Whom a certificate is for: `DNS:unifi.local, IP Address:192.168.1.1`. */
const namesOf = (leaf: X509Certificate | undefined): string =>
  (leaf?.subjectAltName ?? leaf?.subject ?? '').replace(/[\p{C}\s]+/gu, ' ').slice(0, maxNamesLength);
