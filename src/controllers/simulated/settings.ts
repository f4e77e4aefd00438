import { SettingsError } from '../errors.js';

export const simulatedFaults = [
  'none',
  'refuse',
  'no-voucher',
  'no-code',
  'no-id',
  'disconnect',
  'lost-answer',
] as const;

/** What the simulated controller does instead of answering properly. */
type SimulatedFault = (typeof simulatedFaults)[number];

/** The knobs of a simulated controller. */
interface SimulatedSettings {
  readonly latencyMs: number;
  readonly fault: SimulatedFault;
  /** Like controllers for which we choose the codes. */
  readonly hasOwnCodes: boolean;
  /** Like controllers that make only so many at once. */
  readonly maxPerCall: number | undefined;
  /** Like controllers that take only so large orders. */
  readonly maxPerOrder: number | undefined;
  /** How many vouchers it takes; then it refuses. */
  readonly capacity: number;
  /** Which limits it can not keep. */
  readonly lacks: readonly string[];
}

/** Those that a user may give. The others are for tests. */
export const simulatedSettingNames: readonly string[] = ['latencyMs', 'fault'];

export const parseSimulatedSettings = (settings: Readonly<Record<string, unknown>>): SimulatedSettings => {
  const { latencyMs = 0, fault = 'none' } = settings;
  if (typeof latencyMs !== 'number' || !Number.isInteger(latencyMs) || latencyMs < 0 || latencyMs > 600_000) {
    throw new SettingsError(
      'latency',
      `${String(latencyMs)} is not allowed: whole milliseconds from 0 to 600000`,
    );
  }
  const known = simulatedFaults.find((name) => name === fault);
  if (!known)
    throw new SettingsError('fault', `${String(fault)} is not allowed: one of ${simulatedFaults.join(', ')}`);
  return {
    latencyMs,
    fault: known,
    hasOwnCodes: settings['hasOwnCodes'] === true,
    maxPerCall: toCount(settings['maxPerCall']),
    maxPerOrder: toCount(settings['maxPerOrder']),
    capacity: toCount(settings['capacity']) ?? Infinity,
    lacks: Array.isArray(settings['lacks']) ? settings['lacks'].map(String) : [],
  };
};

const toCount = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
