import type { Schemas } from '../../api/schemas.ts';
import { formOf, hasAddress, usualOptions, usualTrustOf, type Kind, type Trust } from './controllerKinds.ts';

export type Controller = Schemas['Controller'];

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
  hasRates: usualOptions.hasRates,
  disconnectPort: usualOptions.disconnectPort,
  usesUserManager: usualOptions.usesUserManager,
};

/** What is known of a stored controller; its secrets are not. */
export const valuesOf = ({ kind, name, url, trust, fingerprint, options }: Controller): ControllerValues => ({
  ...emptyValues,
  kind,
  name,
  url: url ?? '',
  trust: trust ?? usualTrustOf(kind),
  fingerprint: fingerprint ?? '',
  hasRates: options.hasRates ?? usualOptions.hasRates,
  disconnectPort: options.disconnectPort ?? usualOptions.disconnectPort,
  usesUserManager: options.usesUserManager ?? usualOptions.usesUserManager,
});

/** An address as it is typed: https goes without saying. */
const toUrl = (typed: string): string => {
  const url = typed.trim();
  return /^[a-z]+:\/\//i.test(url) ? url : `https://${url}`;
};

const credentialsOf = (values: ControllerValues) => {
  const { kind, apiKey, username, password, clientId, clientSecret } = values;
  const { credentials } = formOf(kind);
  if (credentials === 'apiKey' && apiKey.trim() !== '') return { credentials: { apiKey } };
  if (credentials === 'application' && clientId.trim() !== '')
    return { credentials: { clientId, clientSecret } };
  if (credentials === 'account' && username.trim() !== '') return { credentials: { username, password } };
  return {};
};

const trustOf = ({ trust, fingerprint, caCertificates }: ControllerValues) => ({
  fingerprint: trust === 'pinned' ? fingerprint : null,
  caCertificates: trust === 'own-ca' ? caCertificates : null,
});

/** What kinds can be told besides. A database with a CA of its own is encrypted, too. */
const optionsOf = (values: ControllerValues): Schemas['ControllerOptions'] => {
  const { kind, trust, hasRates, disconnectPort, usesUserManager } = values;
  const { options } = formOf(kind);
  return {
    ...(options.includes('tls') && { tls: trust === 'none' ? 'off' : 'system' }),
    ...(options.includes('hasRates') && { hasRates }),
    ...(options.includes('disconnectPort') && { disconnectPort: Number(disconnectPort) }),
    ...(options.includes('usesUserManager') && { usesUserManager }),
  };
};

/** All that makes up the connection to a new controller. */
export const connectionOf = (values: ControllerValues) => ({
  kind: values.kind,
  ...(hasAddress(values.kind) && {
    url: toUrl(values.url),
    ...credentialsOf(values),
    ...trustOf(values),
    options: optionsOf(values),
  }),
});

/** What was changed of the connection to a stored controller. Certificates of a CA are not shown, so none means the same. */
export const connectionChangeOf = (values: ControllerValues, stored: Controller) => {
  if (!hasAddress(stored.kind)) return {};
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
