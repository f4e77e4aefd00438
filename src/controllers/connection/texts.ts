import { ControllerError, OutcomeUnknown } from '../controller.js';

/** What a connection that could not be made means, by the code of its error. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'die Verbindung wurde abgelehnt'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'die Verbindung wurde abgebrochen'],
  [/^ENOTFOUND$/, 'der Name ist unbekannt'],
  [/^EAI_/, 'der Namensdienst antwortet nicht'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'es führt kein Weg zu ihm'],
  [/^ETIMEDOUT$/, 'die Verbindung kam nicht rechtzeitig zustande'],
  [/^(ERR_SSL_|EPROTO$)/, 'TLS kam nicht zustande'],
];

/** Only the code of an error is used: the rest of it may hold what was to be sent. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** No connection, so nothing was sent. */
export const unreachable = (name: string, error: unknown): ControllerError => {
  const code = codeOf(error);
  const [, reason = 'die Verbindung kam nicht zustande'] =
    reasons.find(([pattern]) => pattern.test(code)) ?? [];
  return new ControllerError('unreachable', `Der Controller „${name}“ ist nicht erreichbar: ${reason}`);
};

/** Without a reason the certificate is another than the pinned one. */
export const untrusted = (
  name: string,
  fingerprint: string | undefined,
  reason: string | undefined,
): ControllerError => {
  const what =
    reason === undefined
      ? `Der Controller „${name}“ zeigt ein anderes Zertifikat als das festgelegte`
      : `Dem Zertifikat des Controllers „${name}“ wird nicht vertraut (${reason})`;
  const trouble = reason === undefined ? 'other-certificate' : 'certificate';
  if (fingerprint === undefined) return new ControllerError(trouble, what);
  const pin = `voucherd controller pin ${JSON.stringify(name)} --fingerprint ${fingerprint}`;
  return new ControllerError(
    trouble,
    `${what}. Sein SHA-256-Fingerabdruck ist ${fingerprint}. Wenn er der richtige ist: ${pin}`,
    fingerprint,
  );
};

export const late = (name: string): ControllerError =>
  new ControllerError('late', `Für den Controller „${name}“ blieb keine Zeit; er wurde nicht gefragt`);

export const resting = (name: string, waitMs: number): ControllerError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ControllerError(
    'resting',
    `Der Controller „${name}“ hat mehrmals hintereinander nicht geantwortet; er wird in ${seconds} s wieder geprüft`,
  );
};

export const closed = (name: string): ControllerError =>
  new ControllerError('unreachable', `Die Verbindung zum Controller „${name}“ ist geschlossen`);

export const unanswered = (name: string): OutcomeUnknown =>
  new OutcomeUnknown(`Der Controller „${name}“ hat nicht rechtzeitig geantwortet`);

export const brokenOff = (name: string): OutcomeUnknown =>
  new OutcomeUnknown(`Die Verbindung zum Controller „${name}“ brach ab, bevor er ganz geantwortet hatte`);

export const tooLarge = (name: string): string => `Die Antwort des Controllers „${name}“ ist zu groß`;
