import type { AuditEntry } from '../audit/auditTable.js';
import { Refusal } from '../errors/problem.js';
import { toOptionSettings, type ControllerOptions } from './controllerOptions.js';
import type { StoredController } from './controllerTable.js';
import { SettingsError, type SettingName } from './errors.js';
import { controllerAddressOf, parseFingerprint, pickCertificates } from './https/settings.js';
import { checkControllerSettings, controllerTrustOf, isSimulatedKind } from './kinds.js';

type Settings = StoredController['settings'];

/** What was given to reach a controller; what is not given stays as it was, and null removes it. */
export interface AddressInput {
  readonly url?: string | undefined;
  readonly fingerprint?: string | null | undefined;
  readonly caCertificates?: string | null | undefined;
  readonly options?: ControllerOptions | undefined;
}

/** All settings as they shall be, or what is changed of those about the address. */
export type SettingsInput = { readonly all: Settings } | { readonly address: AddressInput };

/**
 * Applies what was given to the earlier settings. A fingerprint
 * replaces a CA, and the other way round. Throws `SettingsError`.
 */
export const applyAddress = (
  kind: string,
  { url, fingerprint, caCertificates, options = {} }: AddressInput,
  earlier: Settings = {},
): Settings => {
  const changed = toOptionSettings(kind, options);
  if (isSimulatedKind(kind)) {
    if (url !== undefined || fingerprint != null || caCertificates != null)
      throw new SettingsError('address', `a controller of the kind ${kind} has none`);
    return earlier;
  }
  if (fingerprint != null && caCertificates != null)
    throw new SettingsError('trust', 'a fingerprint and a CA exclude each other');
  const { fingerprint: pinned, ca, ...others } = earlier;
  const kept = {
    ...(pinned !== undefined && fingerprint === undefined && { fingerprint: pinned }),
    ...(ca !== undefined && caCertificates === undefined && { ca }),
  };
  const trust =
    fingerprint != null
      ? { fingerprint: parseFingerprint(fingerprint) }
      : caCertificates != null
        ? { ca: pickCertificates(caCertificates) }
        : kept;
  return { ...others, ...changed, ...(url !== undefined && { url }), ...trust };
};

/** The settings that are stored for what was given. Throws `Refusal`. */
export const toSettings = (kind: string, input: SettingsInput, earlier?: Settings): Settings =>
  checkInput(() => {
    const settings = 'all' in input ? input.all : applyAddress(kind, input.address, earlier);
    checkControllerSettings({ kind, settings });
    return settings;
  });

/** What the audit log says of settings. */
export const describeSettings = (kind: string, settings: Settings): AuditEntry['detail'] => {
  const address = controllerAddressOf({ settings });
  return address === undefined ? {} : { address, trust: controllerTrustOf({ kind, settings }) };
};

/** Refusals by the setting that a `SettingsError` names. */
const settingReasons: Readonly<Record<SettingName, string>> = {
  url: 'url-invalid',
  kind: 'kind-invalid',
  address: 'address-not-needed',
  trust: 'trust-conflict',
  fingerprint: 'fingerprint-invalid',
  'ca-file': 'ca-invalid',
  'api-key': 'credentials-invalid',
  username: 'credentials-invalid',
  password: 'credentials-invalid',
  'client-id': 'credentials-invalid',
  'client-secret': 'credentials-invalid',
  credentials: 'credentials-invalid',
  'max-calls': 'settings-invalid',
  latency: 'settings-invalid',
  tls: 'settings-invalid',
  rates: 'settings-invalid',
  'disconnect-port': 'settings-invalid',
  'user-manager': 'settings-invalid',
  fault: 'settings-invalid',
};

/** Turns a `SettingsError` into a refusal. */
export const checkInput = <T>(check: () => T): T => {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new Refusal(settingReasons[error.code], error.message, 'invalid');
  }
};
