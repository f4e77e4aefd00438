import { CodedError } from '../errors/codedError.js';

/** A `DATABASE_URL` of PostgreSQL. */
export interface PostgresUrl {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly database: string;
  /** The address as the driver understands it. */
  readonly connectionString: string;
}

const defaultPort = '5432';

/** An address that can't be used. The message says what is allowed, and never holds the value. */
export class PostgresUrlError extends CodedError<'database-url'> {
  override readonly name = 'PostgresUrlError';

  constructor(detail = '') {
    super('database-url', `postgres://<user>:<password>@<host>/<database>${detail}`, { kind: 'invalid' });
  }
}

/** Reads an address in libpq's form, of one server. */
export const parsePostgresUrl = (text: string): PostgresUrl => {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(text) ?? [];
  if (scheme === undefined || text === scheme) throw new PostgresUrlError();
  const [place = ''] = /^[^/?#]*/.exec(text.slice(scheme.length)) ?? [];
  const userInfo = place.slice(0, place.lastIndexOf('@') + 1);
  const authority = place.slice(userInfo.length);
  // The URL parser would refuse an empty host, which means the one of the query, or this machine.
  const url = parseUrl(`${scheme}${userInfo}host${text.slice(scheme.length + place.length)}`);
  const [givenHost, givenPort] = ['host', 'port'].map((name) => url.searchParams.get(name));
  if ([authority, givenHost, givenPort].some((part) => part?.includes(',')))
    throw new PostgresUrlError(
      ', with one host: for several servers name an address that leads to the one that is written to',
    );
  const named = givenHost ? { host: givenHost, port: '' } : parseHost(authority);
  const [host, port] = [named.host || 'localhost', givenPort || named.port || defaultPort];
  if (!isPort(port)) throw new PostgresUrlError(', with a port from 1 to 65535');
  return {
    host,
    port,
    user: decodePart(url.username),
    database: decodePart(url.pathname.slice(1)),
    // What the driver understands itself is left alone: it fills in what is missing from the environment.
    connectionString: authority.startsWith('[') ? addressOf(url, host, port) : text,
  };
};

/** How a server is called in a message. */
export const describeHost = ({ host, port }: PostgresUrl): string =>
  host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;

const parseUrl = (text: string): URL => {
  if (!URL.canParse(text)) throw new PostgresUrlError();
  return new URL(text);
};

const parseHost = (text: string): { host: string; port: string } => {
  const [, bracketed, plain = '', port = ''] =
    /^(?:\[([\da-f:.]+)\]|([^:[\]]*))(?::(\d*))?$/i.exec(text) ?? refuseHost();
  return { host: decodePart(bracketed ?? plain), port };
};

const refuseHost = (): never => {
  throw new PostgresUrlError();
};

const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

/** Host and port go into the query, where the driver takes every kind of host. */
const addressOf = (url: URL, host: string, port: string): string => {
  const own = new URL(url);
  own.searchParams.set('host', host);
  own.searchParams.set('port', port);
  return own.href;
};

/** Malformed text is returned unchanged. */
const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
