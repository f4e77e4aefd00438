import type { OrdererKind } from '../storage/intents.js';

/** Who placed an order: a key or a user by name, a kiosk by its site. */
export interface OrderActor {
  readonly kind: OrdererKind;
  readonly name: string;
}

const prefixes: Readonly<Record<OrdererKind, string>> = { key: 'API: ', kiosk: 'Kiosk: ', user: '' };

/** How notifications and lists call them. It is for reading only: a user may be called like a kiosk. */
export const sourceOf = ({ kind, name }: OrderActor): string => prefixes[kind] + name;

/** Versions before 0015 stored the source of an intent, and not the name in it. */
export const nameInSource = (kind: OrdererKind, source: string): string =>
  source.slice(prefixes[kind].length);
