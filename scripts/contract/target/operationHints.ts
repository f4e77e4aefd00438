import type { OracleInput } from '../generated/oracle/oracle.js';
import type { HttpAnswer } from '../request.js';
import type { ScenarioContext } from './scenarioContext.js';
import type { ScenarioPlan } from './target.js';

/** What the contract does not say about an operation. Needed for statuses that depend on state. */
export interface OperationHints {
  /** The field of the body that names what is made. */
  readonly nameField?: string;
  /** Scenarios for a status that replace those derived from the contract. */
  readonly scenarios?: Readonly<Record<number, (context: ScenarioContext) => ScenarioPlan>>;
  /** More scenarios for a status, beside those derived from the contract. */
  readonly moreScenarios?: Readonly<Record<number, (context: ScenarioContext) => ScenarioPlan>>;
  /** The possible statuses of an accepted request. Only for a service whose state is known. */
  outcomes?(input: OracleInput, context: ScenarioContext): readonly number[] | undefined;
  /** The effect of the input behind the service, as far as it is visible, for comparison. */
  effects?(
    input: OracleInput,
    answer: HttpAnswer,
    context: ScenarioContext,
  ): Promise<ObservedEffects | undefined>;
}

/** The wanted and the observed effect, by field name. */
export interface ObservedEffects {
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly found: Readonly<Record<string, unknown>> | undefined;
}
