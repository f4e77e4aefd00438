import type { ErrorObject } from 'ajv';
import { OpenAPIRouter, OpenAPIValidator } from 'openapi-backend';
import type { Contract, Operation } from '../contract.js';
import { ContractError } from '../source.js';
import type { BoundOperation } from './handlerBinding.js';

/** All that a request to one path with one method needs. */
export interface OperationRoute<Key> extends BoundOperation<Key> {
  /** Any of these is enough; the schemes of one are needed together. */
  readonly security: readonly (readonly string[])[];
}

/** Finds operations by path and method. Paths have no parameters, so the routes are listed once and looked up. */
export class ContractRouter<Key> extends OpenAPIRouter {
  readonly #routes = new Map<string, Map<string, OperationRoute<Key>>>();

  constructor(
    { resolved }: Contract,
    basePath: string,
    operations: ReadonlyMap<string, BoundOperation<Key>>,
  ) {
    super({ definition: resolved, apiRoot: basePath || '/' });
    for (const { path, method, operationId, security = [] } of this.getOperations()) {
      const bound = operations.get(operationId ?? '');
      if (!bound) continue;
      const methods = this.#routes.get(basePath + path) ?? new Map<string, OperationRoute<Key>>();
      methods.set(method, { ...bound, security: security.map((schemes) => Object.keys(schemes)) });
      this.#routes.set(basePath + path, methods);
    }
  }

  find(path: string, method: string): OperationRoute<Key> | undefined {
    return this.#routes.get(path)?.get(method);
  }

  /** Is there an operation at this path, whatever its method? */
  handles(path: string): boolean {
    return this.#routes.has(path);
  }

  /** The methods of a path, for `Allow`. */
  methodsOf(path: string): string[] {
    return [...(this.#routes.get(path)?.keys() ?? [])].map((method) => method.toUpperCase());
  }
}

/** The parts of a request that a contract describes. */
interface RequestParts {
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

export interface Validators {
  requestErrors(operation: Operation, parts: RequestParts): ErrorObject[];
  /** Replies with a status that has no schema have no errors. */
  replyErrors(operation: Operation, status: number, body: unknown): ErrorObject[];
}

/** Compiles the schemas of requests now, so that a bad one is found at start, and those of replies when needed. */
export const compileValidators = (contract: Contract, router: OpenAPIRouter): Validators => {
  const validator = new OpenAPIValidator({
    definition: router.definition,
    router,
    ajvOpts: { allErrors: true, validateFormats: false },
    lazyCompileValidators: true,
  });
  const compileRequest = ({ id, location }: Operation) => {
    try {
      return validator.getRequestValidatorsForOperation(id);
    } catch (error) {
      throw new ContractError(`${id}: ${(error as Error).message}`, contract.locate(location));
    }
  };
  const requestValidators = new Map(
    [...contract.operations.values()].map((operation) => [operation.id, compileRequest(operation)]),
  );
  return {
    requestErrors: ({ id }, { query, headers, body }) => {
      const parts = { path: {}, query, header: headers, cookie: {}, requestBody: body };
      const validators = requestValidators.get(id) ?? [];
      return validators.flatMap((isValid) => (isValid(parts) ? [] : (isValid.errors ?? [])));
    },
    replyErrors: ({ id }, status, body) => {
      const isValid = validator.getStatusBasedResponseValidatorForOperation(id)[status];
      // openapi-backend knows an absent body as null.
      return isValid && !isValid(body ?? null) ? (isValid.errors ?? []) : [];
    },
  };
};
