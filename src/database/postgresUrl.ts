import { CodedError } from '../errors/codedError.js';

/** A server of PostgreSQL: a host name, an address, or the folder of a Unix socket. */
export interface PostgresHost {
  readonly host: string;
  readonly port: string;
  /** The address of this server alone, as the driver understands it. */
  readonly connectionString: string;
}

/** A `DATABASE_URL` of PostgreSQL. */
export interface PostgresUrl {
  /** In the order in which they are tried. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly database: string;
}

const defaultPort = '5432';

/** What a service that writes can ask for. With all of them, only a server that can be written to is used. */
const writableSessions = ['any', 'read-write', 'primary'];

/** An address that can't be used. The message says what is allowed, and never holds the value. */
export class PostgresUrlError extends CodedError<'database-url'> {
  override readonly name = 'PostgresUrlError';

  constructor(detail = '') {
    super('database-url', `postgres://<user>:<password>@<host>/<database>${detail}`, { kind: 'invalid' });
  }
}

/**
 * Reads an address in libpq's form: `postgres://user:password@host1:5432,host2:5433/database`, or with lists in `host`
 * and `port` of the query. The driver knows one host only, so each gets its own address.
 */
export const parsePostgresUrl = (text: string): PostgresUrl => {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(text) ?? [];
  if (scheme === undefined || text === scheme) throw new PostgresUrlError();
  const [place = ''] = /^[^/?#]*/.exec(text.slice(scheme.length)) ?? [];
  const userInfo = place.slice(0, place.lastIndexOf('@') + 1);
  const authority = place.slice(userInfo.length);
  const rest = text.slice(scheme.length + place.length);
  // Without its hosts, which the URL parser would refuse when one but the last has a port.
  const url = parseUrl(`${scheme}${userInfo}host${rest}`);
  const { searchParams } = url;
  assertWritable(searchParams.get('target_session_attrs'));
  const hosts = splitList(searchParams.get('host'))?.map((host) => ({ host, port: '' }));
  const ports = splitList(searchParams.get('port')) ?? [];
  const named = hosts ?? authority.split(',').map(parseHost);
  if (ports.length > 1 && ports.length !== named.length)
    throw new PostgresUrlError(', with as many ports as hosts, or one port for all of them');
  for (const name of ['host', 'port', 'target_session_attrs']) searchParams.delete(name);
  return {
    user: decodePart(url.username),
    database: decodePart(url.pathname.slice(1)),
    hosts: named.map(({ host: given, port: own }, index) => {
      const host = given || 'localhost';
      const port = (ports[index] ?? ports[0] ?? own) || defaultPort;
      if (!isPort(port)) throw new PostgresUrlError(', with ports from 1 to 65535');
      // What the driver understands itself is left alone: it fills in what is missing from the environment.
      const isPlain = named.length === 1 && !authority.startsWith('[');
      return { host, port, connectionString: isPlain ? text : addressOf(url, host, port) };
    }),
  };
};

/** How a server is called in a message. */
export const describeHost = ({ host, port }: PostgresHost): string =>
  host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;

const parseUrl = (text: string): URL => {
  if (!URL.canParse(text)) throw new PostgresUrlError();
  return new URL(text);
};

const assertWritable = (attributes: string | null): void => {
  if (attributes !== null && !writableSessions.includes(attributes))
    throw new PostgresUrlError(
      `, with target_session_attrs as one of ${writableSessions.join(', ')}, because the service writes`,
    );
};

/** Empty entries stay: libpq takes the default there. */
const splitList = (text: string | null): string[] | undefined => (text ? text.split(',') : undefined);

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
