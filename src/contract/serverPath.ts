import type { Contract } from './contract.js';
import { fillTemplate } from '../lib/textTemplate.js';
import { ContractError, serverUrlPath } from './source.js';

/** Without a slash at its end; empty for none. */
const normalisePath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => `/${segment}`)
    .join('');

/** The path in the address of the first server, with the defaults of its variables. Empty, or `/v1`. */
export const serverPathOf = ({ resolved: { servers } }: Contract): string => {
  const [server] = servers;
  const defaults = Object.entries(server?.variables ?? {}).map(
    ([name, variable]) => [name, variable.default] as const,
  );
  const [address = ''] = fillTemplate(server?.url ?? '', Object.fromEntries(defaults)).split(/[?#]/);
  return normalisePath(address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, ''));
};

/**
 * What is wrong when a contract's operations are found below `basePath`, and its first server says otherwise.
 * A part of `basePath` is enough: what comes before it is for an operator to say.
 */
export const findServerPathFault = (
  contract: Contract,
  basePath: string,
  remedy?: string,
): ContractError | undefined => {
  const path = serverPathOf(contract);
  const base = normalisePath(basePath);
  if (base.endsWith(path)) return undefined;
  const place = base === '' ? 'without a path before them' : `below ${base}`;
  return new ContractError(
    `servers[0].url has the path ${path}, but the operations are ${place}${remedy === undefined ? '' : `: ${remedy}`}`,
    contract.locate(serverUrlPath),
  );
};
