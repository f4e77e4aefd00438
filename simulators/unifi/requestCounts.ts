import type { RequestKind } from './router.js';

export interface RequestCounts {
  /** TLS handshakes, that is connections. */
  readonly handshakes: number;
  readonly logins: number;
  readonly refusedLogins: number;
  /** All requests except logins and those that detect the variant. */
  readonly calls: number;
  /** By the name of the route: `POST cmd/hotspot create-voucher`, `POST stat/voucher`, `GET vouchers`, … */
  readonly byRoute: Readonly<Record<string, number>>;
  /** Requests in flight. */
  readonly open: number;
  /** The highest number of requests in flight. */
  readonly mostOpen: number;
}

export interface RequestCounter {
  readonly counts: RequestCounts;
  handshake(): void;
  login(refused: boolean): void;
  call(name: string, kind: RequestKind): void;
  opened(): void;
  closed(): void;
  /** Resets all counts except that of requests in flight. */
  reset(): void;
}

export const makeRequestCounter = (): RequestCounter => {
  const none = { handshakes: 0, logins: 0, refusedLogins: 0, calls: 0 };
  let numbers = { ...none };
  let byRoute: Record<string, number> = {};
  let open = 0;
  let mostOpen = 0;
  return {
    get counts() {
      return { ...numbers, byRoute: { ...byRoute }, open, mostOpen };
    },
    handshake: () => {
      numbers.handshakes += 1;
    },
    login: (refused) => {
      numbers[refused ? 'refusedLogins' : 'logins'] += 1;
    },
    call: (name, kind) => {
      if (kind !== 'login' && kind !== 'probe') numbers.calls += 1;
      byRoute[name] = (byRoute[name] ?? 0) + 1;
    },
    opened: () => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
    },
    closed: () => {
      open -= 1;
    },
    reset: () => {
      numbers = { ...none };
      byRoute = {};
      mostOpen = open;
    },
  };
};
