import { isSafe, type HttpRequest } from '../../request.js';
import type { Scenario, ScenarioContext, ScenarioPlan } from '../target.js';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const capitalUuid = '0B8F4A52-58C4-4C3E-9D1C-6A3F6D0C2B11';

/** May a path have a UUID in capitals, and nothing but UUIDs? By RFC 9562 it is the same in small letters. */
const takesCapitals = ({ operation }: ScenarioContext): boolean =>
  isSafe(operation.method) &&
  operation.parameters.some(({ in: place, schema: { format, pattern } = {} }) => {
    if (place !== 'path' || (format !== 'uuid' && typeof pattern !== 'string')) return false;
    const isAllowed = (text: string): boolean =>
      typeof pattern === 'string' ? new RegExp(pattern, 'u').test(text) : text === capitalUuid;
    return isAllowed(capitalUuid) && !isAllowed('x');
  });

const inCapitals = (request: HttpRequest): HttpRequest => {
  const [path = '', ...query] = request.requestTarget.split(/(?=\?)/);
  const requestTarget = [path.replaceAll(uuid, (id) => id.toUpperCase()), ...query].join('');
  return { ...request, requestTarget };
};

/** The first success of a reading operation once more, with the UUIDs of its path in capitals: it finds the same. */
export const withCapitalIds = (
  context: ScenarioContext,
  plan: (context: ScenarioContext) => ScenarioPlan,
): Scenario[] => {
  const { target } = context;
  if (!target.fixture || !takesCapitals(context)) return [];
  const send: typeof target.send = (request) => target.send(inCapitals(request));
  const found = plan({ ...context, target: { ...target, send } });
  return ('scenarios' in found ? found.scenarios.slice(0, 1) : []).map((scenario) => ({
    ...scenario,
    how: `${scenario.how}, and the UUID in capitals`,
    send: async () => {
      const { request, answer } = await scenario.send();
      return { request: inCapitals(request), answer };
    },
  }));
};
