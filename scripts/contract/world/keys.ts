import { fieldsOf } from '../document/json.js';
import type { Contract } from '../contract.js';
import type { Request } from '../request.js';
import type { Excuse } from '../world.js';

/** An API key. Its text is a function, so that nothing shows it by accident. */
export interface Key {
  readonly text: () => string;
  readonly scope: string;
  /** Requests per minute; 0 is no limit. */
  readonly limit: number;
}

/** Keys with a small limit. Their scope does not matter: the limit comes first. */
export interface LimitedKeys {
  /** One whose limit may be partly used up already. */
  any(): Promise<Key>;
  /** One that has some requests left in this minute, and how many. */
  open(): Promise<{ readonly key: Key; readonly left: number }>;
  /** Is it always the same key, so that `open` may have to wait for the next minute? */
  readonly same: boolean;
}

/** The keys that the run has for the service. */
export interface Keys {
  /** One that may do what needs this scope. */
  permitting(scope: string | undefined): Key | Excuse;
  /** A valid one that lacks this scope. */
  lacking(scope: string | undefined): Key | Excuse;
  /** One that is not limited. */
  unlimited(scope: string | undefined): Key | Excuse;
  /** Those whose limit may be used up. */
  limited(): LimitedKeys | Excuse;
  revoked(): Key | Excuse;
  expired(): Key | Excuse;
  /** Every key so far, to find them in answers. */
  all(): readonly Key[];
}

/** `write` includes `read`. */
export const permits = (scope: string, needed: string | undefined): boolean =>
  needed === undefined || scope === needed || (scope === 'write' && needed === 'read');

/** One way to show a key, as the contract's security schemes have it. */
export interface Carrier {
  /** The name of the header. */
  readonly header: string;
  valueFor(key: string): string;
}

export const carriersOf = ({ resolved }: Pick<Contract, 'resolved'>): Carrier[] =>
  Object.values(fieldsOf(fieldsOf(resolved['components'])['securitySchemes'])).flatMap(
    (written): Carrier[] => {
      const { type, scheme, in: place, name } = fieldsOf(written);
      if (type === 'http' && scheme === 'bearer') {
        return [{ header: 'Authorization', valueFor: (key) => `Bearer ${key}` }];
      }
      return type === 'apiKey' && place === 'header'
        ? [{ header: String(name), valueFor: (key) => key }]
        : [];
    },
  );

/** The request with a key, shown in the first way that the contract names. */
export const withKey = (contract: Pick<Contract, 'resolved'>, request: Request, key: Key): Request => {
  const [carrier] = carriersOf(contract);
  if (!carrier) throw new Error('the contract names no way to show a key that is known here');
  return shown(request, carrier, key.text());
};

export const shown = (request: Request, carrier: Carrier, text: string): Request => ({
  ...request,
  headers: [[carrier.header, carrier.valueFor(text)], ...request.headers],
});

/** Looks like a key of the service and is none. */
export const unknownKey = (): string => `uvt_${'0'.repeat(40)}`;
