import { pointerOf } from '../../../../src/contract/source.js';
import { documentValue, type ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { jsonFields } from '../json.js';

/** Things that are created below one path, and that a parameter names: `/books` and `/books/{bookId}`. */
export interface Resource {
  readonly path: string;
  /** The parameter of the path that names one. */
  readonly parameter: string;
  readonly create: OperationModel;
  readonly list: OperationModel | undefined;
  readonly read: OperationModel | undefined;
  /** PUT, PATCH. */
  readonly changes: readonly OperationModel[];
  readonly remove: OperationModel | undefined;
  /** Where a link of the contract says that the answer of `create` has the id. */
  readonly idPointer: readonly string[] | undefined;
}

/** The resources of a contract: from paths that share a beginning, and from `links`. */
export const resourcesOf = (contract: ContractModel): Resource[] => {
  const { operations } = contract;
  const creates = operations.filter(({ method, path }) => method === 'POST' && !path.endsWith('}'));
  return creates.flatMap((create) => {
    const link = linkOf(contract, create);
    const isItem = ({ path }: OperationModel): boolean =>
      path.startsWith(`${create.path}/`) && /^\{[^{}/]+\}$/.test(path.slice(create.path.length + 1));
    const itemPath = link?.operation.path ?? operations.find(isItem)?.path;
    const parameter = link?.parameter ?? /\{([^{}/]+)\}$/.exec(itemPath ?? '')?.[1];
    if (itemPath === undefined || parameter === undefined) return [];
    const find = (method: string, path: string): OperationModel | undefined =>
      operations.find((one) => one.method === method && one.path === path);
    return [
      {
        path: create.path,
        parameter,
        create,
        list: find('GET', create.path),
        read: find('GET', itemPath),
        changes: ['PUT', 'PATCH'].flatMap((method) => find(method, itemPath) ?? []),
        remove: find('DELETE', itemPath),
        idPointer: link?.pointer,
      },
    ];
  });
};

interface Link {
  readonly operation: OperationModel;
  readonly parameter: string;
  readonly pointer: readonly string[];
}

/** The first link of a success whose parameter of the path comes from the body of the answer. */
const linkOf = ({ loaded, operations }: ContractModel, { location }: OperationModel): Link | undefined => {
  const responses = jsonFields(documentValue(loaded.document, [...location, 'responses']));
  const links = Object.keys(responses)
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => {
      const place = [...location, 'responses', status, 'links'];
      return Object.keys(jsonFields(documentValue(loaded.document, place))).map((name) =>
        jsonFields(documentValue(loaded.document, [...place, name])),
      );
    });
  for (const { operationId, operationRef, parameters } of links) {
    const [, path, method] = pointerOf(typeof operationRef === 'string' ? operationRef : '') ?? [];
    const operation = operations.find((one) =>
      path === undefined ? one.id === operationId : one.path === path && one.method.toLowerCase() === method,
    );
    const named = Object.entries(jsonFields(parameters)).map(
      ([name, expression]) => [name.replace(/^path\./, ''), String(expression)] as const,
    );
    for (const [parameter, expression] of named) {
      const pointer = /^\$response\.body#\/(.+)$/.exec(expression)?.[1]?.split('/');
      if (operation?.path.endsWith(`{${parameter}}`) && pointer) return { operation, parameter, pointer };
    }
  }
  return undefined;
};
