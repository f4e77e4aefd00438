import type { X509Certificate } from 'node:crypto';
import { Agent } from 'node:https';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, createSecureContext, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { ControllerError, unreachableError } from '../errors.js';
import type { SeenCertificate } from '../controller.js';
import type { CertificateFailure } from '../failure.js';
import { startRunningTimer } from '../../lib/runningTimer.js';
import type { ConnectionSettings } from './settings.js';

interface TrustedAgentOptions {
  readonly settings: ConnectionSettings;
  /** The controller's name, for messages. */
  readonly name: string;
  /** For connecting and the TLS handshake, a second attempt included. */
  readonly connectMs: number;
}

/**
 * Kept-alive connections to one controller. Requests are sent only over those whose certificate is trusted.
 */
interface TrustedAgent {
  readonly agent: Agent;
  /** The certificate of the last connection, trusted or not; undefined before the first. */
  certificate(): SeenCertificate | undefined;
  /** Closes every connection, including those still being made. */
  destroy(): void;
}

/**
 * Servers close idle connections, some after 5 s. Whether a request
 * sent at that moment was read is unknown, so we close them first.
 */
const idleTimeoutMs = 4000;

/** Node's default of 250 ms per address is too short for a console behind a slow line. */
const attemptTimeoutMs = 1000;

const retryDelayMs = 200;

export const makeTrustedAgent = ({ settings, name, connectMs }: TrustedAgentOptions): TrustedAgent => {
  const { url, fingerprint, ca, maxCalls } = settings;
  const { hostname, port } = new URL(url);
  // URLs have IPv6 addresses in brackets.
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
  let lastSeen: SeenCertificate | undefined;

  /**
   * When Node rejects a certificate itself, it does not give us that certificate. So the handshake may
   * complete, and Node's verdict, `authorized`, is enforced here before anything is sent.
   */
  const verifyCertificate = (socket: TLSSocket): ControllerError | undefined => {
    const certificate = socket.getPeerX509Certificate();
    const seen = certificate?.fingerprint256;
    lastSeen = toSeenCertificate(certificate, fingerprint !== undefined);
    if (fingerprint !== undefined)
      return seen === fingerprint
        ? undefined
        : new ControllerError(name, { kind: 'other-certificate', fingerprint: seen });
    const failure = findCertificateFailure(socket, certificate, host);
    return failure && new ControllerError(name, { kind: 'certificate', ...failure, fingerprint: seen });
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
        // Keeps an error listener after closing: an unhandled 'error' event would end the process.
        socket.on('error', () => undefined).destroy();
        reject(error);
      };
      const closed = (): void => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
      const aborted = (): void => fail(signal.reason as Error);
      socket.on('error', fail).on('close', closed);
      signal.addEventListener('abort', aborted);
      socket.once('secureConnect', () => {
        const refusal = verifyCertificate(socket);
        if (refusal) {
          fail(refusal);
        } else {
          settle();
          resolve(socket);
        }
      });
    });

  /**
   * Nothing was sent yet: a connection that could not be
   * made, as to a console that restarts, is tried once more.
   */
  const openWithRetry = async (): Promise<TLSSocket> => {
    const opening = new AbortController();
    const { signal } = opening;
    // Not counted while this process is blocked: a handshake needs it several times.
    const cancelTimer = startRunningTimer(connectMs, () =>
      opening.abort(unreachableError(name, { code: 'ETIMEDOUT' })),
    );
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
      cancelTimer();
      openings.delete(opening);
    }
  };

  // The queue limits the number of connections. `maxSockets` also counts connections that are being dropped,
  // and the agent would open one for each of them, all for the same waiting request.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: maxCalls, timeout: idleTimeoutMs });
  type Opened = (error: Error | null, socket?: TLSSocket) => void;
  agent.createConnection = (_options, callback) => {
    const opened = callback as Opened;
    openWithRetry().then(
      (socket) => opened(null, socket),
      (error: unknown) => opened(error as Error),
    );
    return undefined;
  };

  return {
    agent,
    certificate: () => lastSeen,
    destroy: () => {
      for (const opening of openings) opening.abort(unreachableError(name, { code: 'ECONNABORTED' }));
      agent.destroy();
    },
  };
};

/** A longer chain is an attack. */
const maxChain = 10;
const maxNamesLength = 200;

/**
 * Why Node does not trust the certificate of this connection; undefined when it does.
 * The certificate is a parameter because Node returns it only once.
 */
export const findCertificateFailure = (
  socket: TLSSocket,
  leaf: X509Certificate | undefined,
  host: string,
): CertificateFailure | undefined => {
  if (socket.authorized) return undefined;
  // Its type is an error, but it is the error's code.
  const code = String(socket.authorizationError);
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return { reason: 'self-signed' };
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return { reason: 'unknown-ca' };
    // Any certificate of the chain may have expired: report the first that did.
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

/** Dates of a certificate and its issuers, the earliest first. */
const chainOf = (leaf: X509Certificate | undefined, field: 'validFrom' | 'validTo'): string[] => {
  const days: string[] = [];
  for (let one = leaf; one && days.length < maxChain; one = one.issuerCertificate)
    days.push(toIsoDay(one[field]));
  return days.sort();
};

/** Until when a certificate and its issuers are valid. */
const toSeenCertificate = (
  leaf: X509Certificate | undefined,
  isPinned: boolean,
): SeenCertificate | undefined => {
  const times: number[] = [];
  for (let one = leaf; one && times.length < maxChain; one = one.issuerCertificate)
    times.push(Date.parse(one.validTo));
  const expiresAt = Math.min(...times);
  return Number.isFinite(expiresAt) ? { expiresAt, isPinned } : undefined;
};

/** The date of a certificate as `2026-11-14`; text that is no date is returned unchanged. */
export const toIsoDay = (text: string): string => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString().slice(0, 10);
};

/** The names a certificate is for: `DNS:unifi.local, IP Address:192.168.1.1`. */
const namesOf = (leaf: X509Certificate | undefined): string =>
  (leaf?.subjectAltName ?? leaf?.subject ?? '').replace(/[\p{C}\s]+/gu, ' ').slice(0, maxNamesLength);
