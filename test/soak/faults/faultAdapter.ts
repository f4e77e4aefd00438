import type { ConsoleFault, FaultKind } from '../../../simulators/unifi/faults.js';
import type { ConsoleOptions } from '../../../simulators/unifi/settings.js';
import type { ControllerCredentials } from '../../../src/controllers/controller.js';

/** What is special about a console in a scenario. */
export type ConsoleTraits = Pick<ConsoleOptions, 'keepNote' | 'clock'>;

/** A running controller that can be made to fail. */
export interface FaultyController {
  readonly settings: { readonly url: string; readonly fingerprint?: string };
  readonly credentials: ControllerCredentials;
  /** The site that is ordered from. */
  readonly site: string;
  fault(fault: ConsoleFault | undefined): void;
  /** The codes of all its vouchers. */
  codes(): string[] | Promise<string[]>;
  stop(): Promise<void>;
}

/** One kind of controller in the scenarios. */
export interface FaultAdapter {
  readonly title: string;
  readonly kind: string;
  /** The faults that it can have; all without it. */
  readonly faults?: readonly FaultKind[];
  start(options: ConsoleTraits | undefined): Promise<FaultyController>;
}
