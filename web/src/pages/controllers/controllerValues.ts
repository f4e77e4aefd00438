import type { Schemas } from '../../api/schemas.ts';

export type Controller = Schemas['Controller'];
export type Kind = Schemas['ControllerKind'];
export type Trust = 'system' | 'pinned' | 'own-ca';

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
}

export const kinds = [
  'unifi',
  'unifi-classic',
  'radius-sql',
  'omada',
  'mikrotik',
  'simulated',
] as const satisfies readonly Kind[];
export const trusts = ['system', 'pinned', 'own-ca'] as const satisfies readonly Trust[];

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
};

/** What is known of a stored controller; its secrets are not. */
export const valuesOf = ({ kind, name, url, trust, fingerprint }: Controller): ControllerValues => ({
  ...emptyValues,
  kind,
  name,
  url: url ?? '',
  trust: trust ?? 'system',
  fingerprint: fingerprint ?? '',
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

/** All that makes up the connection to a new controller. */
export const connectionOf = (values: ControllerValues) => ({
  kind: values.kind,
  ...(values.kind !== 'simulated' && {
    url: toUrl(values.url),
    ...credentialsOf(values),
    ...trustOf(values),
  }),
});

/** What was changed of the connection to a stored controller. Certificates of a CA are not shown, so none means the same. */
export const connectionChangeOf = (values: ControllerValues, stored: Controller) => {
  if (stored.kind === 'simulated') return {};
  const isTrustKept =
    values.trust === (stored.trust ?? 'system') &&
    (values.trust !== 'pinned' || values.fingerprint === stored.fingerprint) &&
    (values.trust !== 'own-ca' || values.caCertificates.trim() === '');
  const url = toUrl(values.url);
  return {
    ...(url !== stored.url && { url }),
    ...credentialsOf(values),
    ...(!isTrustKept && trustOf(values)),
  };
};
