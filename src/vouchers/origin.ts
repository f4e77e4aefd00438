import type { ActorKind } from '../audit/auditTable.js';

/** Where an order comes from: a client of the API, a user in the web UI, a kiosk, or a guest page. */
export type OrderOrigin = 'api' | 'desk' | 'kiosk' | 'guest';

/**
 * An order's origin and who placed it there: an API key or a user by name,
 * a kiosk or a guest page by its name or that of its site.
 */
export interface OrderActor<O extends OrderOrigin = OrderOrigin> {
  readonly origin: O;
  readonly actorName: string;
}

/**
 * How the vouchers' table calls those who order, and those
 * who adopted a voucher that was on a controller already.
 */
export type CreatorKind = OrdererKind | 'adopted';

/** How the audit log calls those who order. */
export type OrdererKind = Extract<ActorKind, 'key' | 'user' | 'kiosk' | 'guest'>;

export const ordererKinds = {
  api: 'key',
  desk: 'user',
  kiosk: 'kiosk',
  guest: 'guest',
} as const satisfies Record<OrderOrigin, OrdererKind>;

export const originsByKind = {
  key: 'api',
  user: 'desk',
  kiosk: 'kiosk',
  guest: 'guest',
} as const satisfies Record<OrdererKind, OrderOrigin>;

const sourcePrefixes: Readonly<Record<OrderOrigin, string>> = {
  api: 'API: ',
  desk: '',
  kiosk: 'Kiosk: ',
  guest: 'Guest page: ',
};

/** In place of the prefix of an origin, for a voucher that was adopted. */
export const adoptedPrefix = 'Adopted: ';

/** What notifications and lists call the orderer. For reading only: a user may have the name of a kiosk. */
export const toSource = ({ origin, actorName }: OrderActor): string => sourcePrefixes[origin] + actorName;

/** The source of a voucher, and whose it is. */
export interface VoucherCreator {
  readonly source: string;
  readonly kind: CreatorKind;
}

/** Everybody who may have that name, as vouchers store it. */
export const possibleCreators = (actorName: string): VoucherCreator[] => [
  ...(['desk', 'api', 'kiosk', 'guest'] as const).map((origin) => ({
    kind: ordererKinds[origin],
    source: toSource({ origin, actorName }),
  })),
  { kind: 'adopted', source: adoptedPrefix + actorName },
];
