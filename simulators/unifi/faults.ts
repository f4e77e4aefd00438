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
} as const;

/**
 * `reset-before`, `hang`, `bad-gateway` and `throttled` happen instead of what was asked for; `slow`, `reset-after`,
 * `truncated` and `wrong-json` happen to the answer, after everything was done.
 */
export type FaultKind = keyof typeof faultTexts;

export interface Fault {
  readonly kind: FaultKind;
  /** `create` unless told; `all` means all calls but logins. */
  readonly on?: 'create' | 'all';
  /** How often; until it is taken back unless told. */
  readonly times?: number;
  /** How long `slow` waits before it answers. */
  readonly delayMs?: number;
}

export const faultsBefore = ['hang', 'reset-before', 'bad-gateway', 'throttled'] as const;
export const faultsAfter = ['slow', 'reset-after', 'truncated', 'wrong-json'] as const;

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
      const meant = call === 'create' || (current.on === 'all' && call !== 'login');
      if (!meant) return undefined;
      const taken = current;
      left -= 1;
      if (left <= 0) current = undefined;
      return taken;
    },
  };
};
