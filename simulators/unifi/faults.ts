import type { CallKind } from './route.js';

/** What each fault does, in the words of a person who chooses one. */
export const faultTexts = {
  slow: 'does it, answers late',
  hang: 'does nothing, never answers',
  'reset-before': 'does nothing, drops the connection',
  'reset-after': 'does it, drops the connection',
  'bad-gateway': 'does nothing, answers 502 with HTML',
  truncated: 'does it, breaks off in the middle of the answer',
  'wrong-json': 'does it, answers JSON of another shape',
  throttled: 'does nothing, answers 429',
  'no-list': 'does it, shows no list of vouchers',
  'empty-list': 'does it, shows an empty list of vouchers',
  'null-voucher': 'does it, shows null instead of the voucher',
  'no-code': 'does it, shows the voucher without a code',
  'null-code': 'does it, shows the voucher with null as its code',
  'empty-code': 'does it, shows the voucher with an empty code',
  'no-id': 'does it, shows the voucher without an id',
} as const;

/**
 * `reset-before`, `hang`, `bad-gateway` and `throttled` happen instead of what was asked for; `slow`, `reset-after`,
 * `truncated` and `wrong-json` happen to the answer, after everything was done. The others happen to the answer that
 * shows what was just created: the Integration API's own, or what the classic API lists of that second.
 */
export type FaultKind = keyof typeof faultTexts;

export interface Fault {
  readonly kind: FaultKind;
  /** `create` unless told; `delete` means revoking vouchers, `all` all calls but logins. */
  readonly on?: 'create' | 'delete' | 'all';
  /** How often; until it is taken back unless told. */
  readonly times?: number;
  /** How long `slow` waits before it answers. */
  readonly delayMs?: number;
}

export const faultsBefore = ['hang', 'reset-before', 'bad-gateway', 'throttled'] as const;
export const faultsAfter = ['slow', 'reset-after', 'truncated', 'wrong-json'] as const;
export const faultsOfVouchers = [
  'no-list',
  'empty-list',
  'null-voucher',
  'no-code',
  'null-code',
  'empty-code',
  'no-id',
] as const;

export interface Faults {
  /** With `times` as it is left. */
  readonly current: Fault | undefined;
  set(fault: Fault | undefined): void;
  /** The fault that befalls this call, if it is one of these kinds; counts it. */
  take<K extends FaultKind>(call: CallKind, kinds: readonly K[]): (Fault & { readonly kind: K }) | undefined;
}

export const makeFaults = (): Faults => {
  let current: Fault | undefined;
  let left = Infinity;
  const isOf = <K extends FaultKind>(
    fault: Fault,
    kinds: readonly K[],
  ): fault is Fault & { readonly kind: K } => kinds.some((kind) => kind === fault.kind);
  return {
    get current() {
      return current && Number.isFinite(left) ? { ...current, times: left } : current;
    },
    set: (fault) => {
      current = fault;
      left = fault?.times ?? Infinity;
    },
    take: (call, kinds) => {
      if (!current || !isOf(current, kinds)) return undefined;
      const { on = 'create' } = current;
      const meant = on === 'all' ? call !== 'login' : call === on;
      if (!meant) return undefined;
      const taken = current;
      left -= 1;
      if (left <= 0) current = undefined;
      return taken;
    },
  };
};
