import type { Secrets } from './secrets.js';

/**
 * What a sealed value belongs to: its row, what it is there, and whom it is sent to. It opens nowhere else, so
 * whoever can write the database, and has no key, can not have credentials sent to another address.
 */
export type Binding = string;

const bindingOf = (...parts: readonly unknown[]): Binding => JSON.stringify(parts);

export interface BoundController {
  readonly id: number;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The address, and by what the one who answers there is known to be the right one. */
export const credentialsBinding = ({ id, kind, settings }: BoundController): Binding => {
  const { url = null, fingerprint = null, ca = null } = settings;
  return bindingOf('controllers', id, 'credentials', kind, url, fingerprint, ca);
};

/** The address of a webhook is itself sealed for its row, so its signing secrets need only name the row. */
export const webhookBinding = (id: number, part: 'address' | 'secrets'): Binding =>
  bindingOf('webhooks', id, part);

/** Something sealed; for a row that is still to be written, what seals it once its id is known. */
export type Sealed = string | ((id: number) => string);

/** Seals the credentials of a controller, whose id may still be unknown. */
export const sealCredentials =
  (
    secrets: Pick<Secrets, 'seal'>,
    { kind, settings }: Omit<BoundController, 'id'>,
    credentials: Readonly<Record<string, string>>,
  ) =>
  (id: number): string =>
    secrets.seal(JSON.stringify(credentials), credentialsBinding({ id, kind, settings }));
