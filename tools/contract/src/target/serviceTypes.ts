import type { Substitutions } from './sample.js';

/**
 * What the service under test brings along. The run hands it from one scenario of the service to the next and never looks
 * inside, so scenarios import the run and not the other way round: they say what it is by declaring the interface again
 * (`declare module`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled in by the scenarios
export interface ServiceAdministration {}

/** The data of a service that the run starts, likewise. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled in by the scenarios
export interface ServiceData {}

/** What the service connects to in a run, all of it on this machine. */
export interface SimulatedNetwork {
  /** Settings of the service. */
  readonly settings: Readonly<Record<string, string>>;
  /** The addresses of examples are of other networks. */
  readonly substitutions: Substitutions;
  /** Adds what the service knows of it. */
  addTo(administration: ServiceAdministration): Promise<void>;
  close(): Promise<void>;
}
