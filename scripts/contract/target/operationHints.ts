import type { OracleInput } from '../generated/oracle/oracle.js';
import type { HttpAnswer } from '../request.js';
import type { ScenarioContext } from './scenarioContext.js';
import type { ScenarioPlan } from './target.js';

/** What the contract does not tell about an operation. An operation needs it for statuses that depend on its state. */
export interface OperationHints {
  /** How a status is reached; takes the place of the scenarios that follow from the contract. */
  readonly scenarios?: Readonly<Record<number, (context: ScenarioContext) => ScenarioPlan>>;
  /** More scenarios for a status, beside those that follow from the contract. */
  readonly moreScenarios?: Readonly<Record<number, (context: ScenarioContext) => ScenarioPlan>>;
  /** The statuses that an accepted request may have. Only for a service whose state is known. */
  outcomes?(input: OracleInput, context: ScenarioContext): readonly number[] | undefined;
  /** What of the input took effect behind the service, as far as it can be seen; compared with the input. */
  effects?(
    input: OracleInput,
    answer: HttpAnswer,
    context: ScenarioContext,
  ): Promise<ObservedEffects | undefined>;
}

/** What should have taken effect and what has, by the names of the fields. */
export interface ObservedEffects {
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly found: Readonly<Record<string, unknown>> | undefined;
}
