import type { Contract } from './contract.js';
import { ContractError, serverUrlPath } from './source.js';

/** Without a slash at its end; empty for none. */
const normalisePath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => `/${segment}`)
    .join('');

/** The path in the address of the first server. It may hold variables. */
const serverPathOf = ({ resolved }: Contract): string => {
  const [address = ''] = (resolved.servers[0]?.url ?? '').split(/[?#]/);
  return normalisePath(address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, ''));
};

/**
 * What is wrong when a contract's operations are found below `basePath`, and its first server says otherwise. A part of
 * `basePath` is enough: what comes before it is for an operator to say.
 */
export const findServerPathFault = (
  contract: Contract,
  basePath: string,
  remedy = '',
): ContractError | undefined => {
  const path = serverPathOf(contract);
  const base = normalisePath(basePath);
  if (base.endsWith(path)) return undefined;
  const place = base === '' ? 'without a path before them' : `below ${base}`;
  return new ContractError(
    `servers[0].url has the path ${path}, but the operations are ${place}${remedy}`,
    contract.locate(serverUrlPath),
  );
};
