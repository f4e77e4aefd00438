import type { Contract } from '../contract.js';
import { isUnvalidated } from '../document.js';
import { ContractError } from '../source.js';

/** What mocks and proxies do not validate in a contract of another service, once for each media type. */
export const findUnvalidatedBodies = ({ operations, locate }: Contract): ContractError[] => {
  const found = new Map<string, { first: string; location: readonly (string | number)[]; count: number }>();
  for (const { definition, name, location } of operations.values()) {
    for (const media of Object.keys(definition.requestBody?.content ?? {}).filter(isUnvalidated)) {
      const body = `requests of ${media}`;
      const known = found.get(body) ?? { first: name, location, count: 0 };
      found.set(body, { ...known, count: known.count + 1 });
    }
  }
  return [...found].map(([body, { first, location, count }]) => {
    const others = count > 1 ? `, and in ${String(count - 1)} more` : '';
    return new ContractError(`${first}: ${body} are not validated${others}`, locate(location));
  });
};
