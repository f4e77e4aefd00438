import type { OpenAPIBackend } from 'openapi-backend';
import type { Contract, Operation } from '../contract.js';
import { ContractError } from '../source.js';
import type { OperationRequest } from './request.js';

/** Path → method → the operation as openapi-backend has it. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, Routed>>;

type Routed = ReturnType<OpenAPIBackend['router']['getOperations']>[number];

const routesOf = ({ router }: OpenAPIBackend, basePath: string): Routes => {
  const routes = new Map<string, Map<string, Routed>>();
  for (const operation of router.getOperations()) {
    const path = basePath + operation.path;
    routes.set(path, (routes.get(path) ?? new Map<string, Routed>()).set(operation.method, operation));
  }
  return routes;
};

/**
 * openapi-backend builds its list of operations and parses the request anew several times for every request.
 * That is replaced on the instance: a prepared look-up, the call that is parsed already, and its own validators
 * without what surrounds them.
 */
export const prepareRoutes = (backend: OpenAPIBackend, contract: Contract, basePath: string): Routes => {
  const routes = routesOf(backend, basePath);
  const { router, validator } = backend;
  const matchOperation = (call: OperationRequest<unknown>) => {
    const operation = routes.get(call.path)?.get(call.method);
    if (!operation) throw new Error(routes.has(call.path) ? '405-methodNotAllowed' : '404-notFound');
    call.operation = contract.operations.get(operation.operationId ?? '');
    return operation;
  };
  const validatorsOf = ({ id, location }: Operation) => {
    try {
      return validator.getRequestValidatorsForOperation(id);
    } catch (error) {
      throw new ContractError(`${id}: ${(error as Error).message}`, contract.locate(location));
    }
  };
  const validators = new Map(
    [...contract.operations.values()].map((operation) => [operation.id, validatorsOf(operation)]),
  );
  const validateRequest = ({
    operation,
    params,
    query,
    headers,
    cookies,
    requestBody,
  }: OperationRequest<unknown>) => {
    const parts = { path: params, query, header: headers, cookie: cookies, requestBody };
    const errors = (validators.get(operation?.id ?? '') ?? []).flatMap((isValid) =>
      isValid(parts) ? [] : (isValid.errors ?? []),
    );
    return { valid: errors.length === 0, errors: errors.length === 0 ? null : errors };
  };
  Object.assign(router, { matchOperation, parseRequest: (call: OperationRequest<unknown>) => call });
  Object.assign(validator, { validateRequest });
  return routes;
};
