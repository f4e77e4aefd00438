import type { Input } from '../generated/oracle/oracle.js';
import type { Answer } from '../request.js';
import type { Provocation } from '../world.js';
import type { Scene } from './scene.js';

/** What the contract does not tell about an operation. An operation needs it for statuses that depend on its state. */
export interface Knowledge {
  /** How a status is reached; takes the place of the ways that follow from the contract. */
  readonly ways?: Readonly<Record<number, (scene: Scene) => Provocation>>;
  /** More ways to a status, beside those that follow from the contract. */
  readonly moreWays?: Readonly<Record<number, (scene: Scene) => Provocation>>;
  /** The statuses that an accepted request may have. Only for a service whose state is known. */
  outcomes?(input: Input, scene: Scene): readonly number[] | undefined;
  /** What of the input took effect behind the service, as far as it can be seen; compared with the input. */
  effects?(input: Input, answer: Answer, scene: Scene): Promise<Effects | undefined>;
}

/** What should have taken effect and what has, by the names of the fields. */
export interface Effects {
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly found: Readonly<Record<string, unknown>> | undefined;
}
