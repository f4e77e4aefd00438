import type { ContractModel } from '../../contract.js';
import type { HttpExchange, HttpRequest } from '../../request.js';
import { type Excuse, type Key, isExcuse, keyCarriers, withCarriedKey, withKey } from '../keys.js';
import { requestOf } from '../sample.js';
import { exchange, goodSample, isDirect } from '../scenarioContext.js';
import { inTurn } from '../turns.js';
import type { ScenarioPlan, ScenarioContext } from '../target.js';

/** Methods that every client can send. CONNECT asks for a tunnel, and TRACE may be answered by a proxy. */
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Methods that change nothing. */
const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/** What no client and no parser knows. A server of somebody else may end the connection. */
const unknownMethod = 'FOO';

interface OtherMethod {
  readonly method: string;
  exchange(): Promise<HttpExchange>;
  /** The same without a key, where the key is looked at first. */
  withoutKey?(): Promise<HttpExchange>;
}

/** The methods that the contract does not document for an operation's path, each sent without a body. */
export const otherMethods = (
  context: ScenarioContext,
): { readonly methods: readonly OtherMethod[] } | Excuse => {
  const { contract, operation, target } = context;
  const key = target.keys.permitting(undefined);
  if (isExcuse(key)) return key;
  const [requestTarget = ''] = requestOf(operation, goodSample(context)).requestTarget.split('?');
  const others = [...undocumented(contract, operation.path), ...(isDirect(target) ? [unknownMethod] : [])];
  return {
    methods: inTurn(contract, operation, others, 6)
      .filter((method) => target.allowWrites || safeMethods.includes(method))
      .map((method, index) => ({
        method,
        exchange: () => exchange(context, carried(contract, { method, requestTarget, headers: [] }, key)),
        // One shows it, and what no parser knows is refused before anybody looks for a key.
        ...(index === 0 &&
          method !== unknownMethod &&
          !target.thirdParty && {
            withoutKey: () => exchange(context, { method, requestTarget, headers: [] }),
          }),
      })),
  };
};

/** Each method has the key elsewhere: where there is no operation, other code of a service looks for it. */
const carried = (contract: ContractModel, request: HttpRequest, key: Key): HttpRequest => {
  const carriers = keyCarriers(contract);
  const carrier = carriers[Math.max(0, methods.indexOf(request.method)) % carriers.length];
  return key.carry || !carrier
    ? withKey(contract, request, key)
    : withCarriedKey(request, carrier, key.text());
};

const undocumented = ({ operations }: ContractModel, path: string): string[] =>
  methods.filter((method) => !operations.some((one) => one.path === path && one.method === method));

/** 405, where the contract documents it for an operation. */
export const wrongMethod = (context: ScenarioContext): ScenarioPlan => {
  const found = otherMethods(context);
  if (isExcuse(found)) return found;
  return {
    scenarios: found.methods.map((other) => ({ how: `with ${other.method}`, send: () => other.exchange() })),
  };
};
