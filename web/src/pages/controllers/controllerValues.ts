import type { Schemas } from '../../api/schemas.ts';

export type Controller = Schemas['Controller'];
export type Kind = Schemas['ControllerKind'];
export type Trust = NonNullable<Controller['trust']>;

/** What is typed about a controller. */
export interface ControllerValues {
  kind: Kind;
  name: string;
  url: string;
  apiKey: string;
  username: string;
  password: string;
  clientId: string;
  clientSecret: string;
  trust: Trust;
  fingerprint: string;
  caCertificates: string;
  hasRates: boolean;
  disconnectPort: number | string;
  usesUserManager: boolean;
}

export const kinds = [
  'unifi',
  'unifi-classic',
  'radius-sql',
  'omada',
  'mikrotik',
  'simulated',
] as const satisfies readonly Kind[];

/** What the connections to a kind can trust, what is usual first. A database takes a CA, not a fingerprint. */
export const trustsOf = (kind: Kind): readonly Trust[] =>
  kind === 'radius-sql' ? ['none', 'system', 'own-ca'] : ['system', 'pinned', 'own-ca'];

export const usualTrustOf = (kind: Kind): Trust => (kind === 'radius-sql' ? 'none' : 'system');

export const emptyValues: ControllerValues = {
  kind: 'unifi',
  name: '',
  url: '',
  apiKey: '',
  username: '',
  password: '',
  clientId: '',
  clientSecret: '',
  trust: 'system',
  fingerprint: '',
  caCertificates: '',
  hasRates: true,
  disconnectPort: 3799,
  usesUserManager: true,
};

/** What is known of a stored controller; its secrets are not. */
export const valuesOf = ({ kind, name, url, trust, fingerprint, options }: Controller): ControllerValues => ({
  ...emptyValues,
  kind,
  name,
  url: url ?? '',
  trust: trust ?? usualTrustOf(kind),
  fingerprint: fingerprint ?? '',
  hasRates: options.hasRates ?? true,
  disconnectPort: options.disconnectPort ?? 3799,
  usesUserManager: options.usesUserManager ?? true,
});

/** An address as it is typed: https goes without saying. */
const toUrl = (typed: string): string => {
  const url = typed.trim();
  return /^[a-z]+:\/\//i.test(url) ? url : `https://${url}`;
};

const usesAccount = (kind: Kind): boolean =>
  kind === 'unifi-classic' || kind === 'radius-sql' || kind === 'mikrotik';

const credentialsOf = (values: ControllerValues) => {
  const { kind, apiKey, username, password, clientId, clientSecret } = values;
  if (kind === 'unifi' && apiKey.trim() !== '') return { credentials: { apiKey } };
  if (kind === 'omada' && clientId.trim() !== '') return { credentials: { clientId, clientSecret } };
  if (usesAccount(kind) && username.trim() !== '') return { credentials: { username, password } };
  return {};
};

const trustOf = ({ trust, fingerprint, caCertificates }: ControllerValues) => ({
  fingerprint: trust === 'pinned' ? fingerprint : null,
  caCertificates: trust === 'own-ca' ? caCertificates : null,
});

/** What kinds can be told besides. A database with a CA of its own is encrypted, too. */
const optionsOf = (values: ControllerValues): Schemas['ControllerOptions'] => {
  const { kind, trust, hasRates, disconnectPort, usesUserManager } = values;
  if (kind === 'mikrotik') return { usesUserManager };
  if (kind !== 'radius-sql') return {};
  return { tls: trust === 'none' ? 'off' : 'system', hasRates, disconnectPort: Number(disconnectPort) };
};

/** All that makes up the connection to a new controller. */
export const connectionOf = (values: ControllerValues) => ({
  kind: values.kind,
  ...(values.kind !== 'simulated' && {
    url: toUrl(values.url),
    ...credentialsOf(values),
    ...trustOf(values),
    options: optionsOf(values),
  }),
});

/** What was changed of the connection to a stored controller. Certificates of a CA are not shown, so none means the same. */
export const connectionChangeOf = (values: ControllerValues, stored: Controller) => {
  if (stored.kind === 'simulated') return {};
  const isTrustKept =
    values.trust === stored.trust &&
    (values.trust !== 'pinned' || values.fingerprint === stored.fingerprint) &&
    (values.trust !== 'own-ca' || values.caCertificates.trim() === '');
  const url = toUrl(values.url);
  const known = new Map(Object.entries(stored.options));
  const options = Object.entries(optionsOf(values)).filter(([name, value]) => known.get(name) !== value);
  return {
    ...(url !== stored.url && { url }),
    ...credentialsOf(values),
    ...(!isTrustKept && trustOf(values)),
    ...(options.length > 0 && { options: Object.fromEntries(options) }),
  };
};
