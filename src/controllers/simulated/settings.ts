import { SettingsError } from '../controller.js';

export const faults = ['none', 'refuse', 'no-voucher', 'no-code', 'no-id', 'lost-answer'] as const;

/** What the simulated controller does instead of answering properly. */
export type Fault = (typeof faults)[number];

/** The knobs of a simulated controller. */
export interface SimulatedSettings {
  readonly latencyMs: number;
  readonly fault: Fault;
}

export const parseSimulatedSettings = (settings: Readonly<Record<string, unknown>>): SimulatedSettings => {
  const { latencyMs = 0, fault = 'none' } = settings;
  if (typeof latencyMs !== 'number' || !Number.isInteger(latencyMs) || latencyMs < 0 || latencyMs > 600_000) {
    throw new SettingsError(
      `latency: ${String(latencyMs)} is not allowed: whole milliseconds from 0 to 600000`,
    );
  }
  const known = faults.find((name) => name === fault);
  if (!known) throw new SettingsError(`fault: ${String(fault)} is not allowed: one of ${faults.join(', ')}`);
  return { latencyMs, fault: known };
};
