import { isJsonObject, parseJson, type ConsoleReply, type RequestKind } from './router.js';

/** What each fault does, as shown to the user who chooses one. */
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
  some: 'creates only some of the vouchers, shows those',
  'some-reset': 'creates only some of the vouchers, drops the connection',
} as const;

/**
 * `reset-before`, `hang`, `bad-gateway` and `throttled` replace the requested action. `slow`, `reset-after`, `truncated`
 * and `wrong-json` change the reply, after the action. `some` and `some-reset` create three of five vouchers,
 * the latter without a reply. The others change the reply that shows the created vouchers: that of the Integration API
 * to the order, or the classic API's list of that second.
 */
export type FaultKind = keyof typeof faultTexts;

export interface ConsoleFault {
  readonly kind: FaultKind;
  /** Default: `create`. `delete` means revoking vouchers, `all` means all calls except logins. */
  readonly on?: 'create' | 'delete' | 'all';
  /** How often. Default: until it is removed. */
  readonly times?: number;
  /** How long `slow` waits before it answers. */
  readonly delayMs?: number;
}

export const faultsBefore = ['hang', 'reset-before', 'bad-gateway', 'throttled'] as const;
export const faultsAfter = ['slow', 'reset-after', 'truncated', 'wrong-json', 'some-reset'] as const;
export const faultsOfVouchers = [
  'no-list',
  'empty-list',
  'null-voucher',
  'no-code',
  'null-code',
  'empty-code',
  'no-id',
] as const;

export interface FaultInjector {
  /** With the remaining `times`. */
  readonly current: ConsoleFault | undefined;
  set(fault: ConsoleFault | undefined): void;
  /** The fault for this call, if it is one of these kinds. Counts it. */
  take<K extends FaultKind>(
    call: RequestKind,
    kinds: readonly K[],
  ): (ConsoleFault & { readonly kind: K }) | undefined;
}

export const makeFaultInjector = (): FaultInjector => {
  let current: ConsoleFault | undefined;
  let left = Infinity;
  const isOf = <K extends FaultKind>(
    fault: ConsoleFault,
    kinds: readonly K[],
  ): fault is ConsoleFault & { readonly kind: K } => kinds.some((kind) => kind === fault.kind);
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

/** How many of the ordered vouchers are created. `some-reset` is counted when the connection is dropped. */
export const limitCount = (faults: FaultInjector, count: number): number => {
  const makesSome = faults.take('create', ['some']) ?? faults.current?.kind === 'some-reset';
  return makesSome ? Math.max(1, Math.floor(count * 0.6)) : count;
};

type Fields = Readonly<Record<string, unknown>>;
type VoucherFault = (typeof faultsOfVouchers)[number];

const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Each API has one of its own; a newer classic API shows the id of the Integration API as well. */
const idFields = ['id', '_id', 'external_id', '.id'];

type CorruptVoucher = (voucher: Fields, codeField: string) => unknown;

const corruptVoucher: Readonly<Partial<Record<VoucherFault, CorruptVoucher>>> = {
  'null-voucher': () => null,
  'no-code': (voucher, codeField) => without(voucher, codeField),
  'null-code': (voucher, codeField) => ({ ...voucher, [codeField]: null }),
  'empty-code': (voucher, codeField) => ({ ...voucher, [codeField]: '' }),
  'no-id': (voucher) => without(voucher, ...idFields),
};

/** The reply that shows created vouchers, with their list corrupted by the fault. */
export const corruptReply = (reply: ConsoleReply, fault: VoucherFault): ConsoleReply => {
  const { created, body } = reply;
  if (!created) return reply;
  const { path, code = 'code' } = created;
  const corrupt = (value: unknown, [field, ...rest]: readonly string[]): unknown => {
    if (field !== undefined)
      return isJsonObject(value) ? { ...value, [field]: corrupt(value[field], rest) } : value;
    // JSON has no field for it.
    if (fault === 'no-list') return undefined;
    const change = corruptVoucher[fault];
    return change && Array.isArray(value)
      ? value.filter(isJsonObject).map((voucher) => change(voucher, code))
      : [];
  };
  const shown = parseJson(typeof body === 'string' ? body : [...body].join(''));
  return { ...reply, body: JSON.stringify(corrupt(shown, path) ?? {}) };
};
