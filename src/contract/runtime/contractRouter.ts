import { OpenAPIRouter } from 'openapi-backend';
import { groupBy, partition } from '../../lib/collections.js';
import type { Contract, Operation } from '../contract.js';
import { methods } from '../document.js';

type ListedOperation = ReturnType<OpenAPIRouter['getOperations']>[number];

/** An operation as openapi-backend lists it, and as the contract has it. */
type Candidate = ListedOperation & { readonly served: Operation };

/** What the path of a request belongs to. */
export interface Match {
  /** `undefined`: the path has operations, but none with this method. */
  readonly operation: Operation | undefined;
  /** What the path has in the places of its parameters, as it was sent. */
  readonly pathValues: Readonly<Record<string, string>>;
}

const countSegments = (path: string): number => path.split('/').length;

/**
 * Several parameters between two slashes are listed as one: openapi-backend's regular expression of them
 * could take long for a hostile path. `ContractRouter` compares such a path with its template before.
 */
const toCandidate = (operation: Operation): Candidate => ({
  operationId: operation.id,
  method: operation.method,
  path: String(operation.location[1])
    .split('/')
    .map((segment) => (segment.split('{').length > 2 ? '{divided}' : segment))
    .join('/'),
  responses: {},
  served: operation,
});

/**
 * openapi-backend's router. By itself it lists all operations,
 * and compiles a regular expression of each path, for every request; this one lists those that a request may
 * mean. Paths are compared as they are: the server has already cut off the query and merged repeated slashes.
 */
export class ContractRouter extends OpenAPIRouter {
  readonly #all: Candidate[];
  /** By path. A path that the contract has as it was sent belongs to no template, whatever the method. */
  readonly #exact: ReadonlyMap<string, Candidate[]>;
  /**
   * Those with parameters in their paths, by number of
   * segments. Of two that match, the one with more text counts.
   */
  readonly #templated: ReadonlyMap<number, Candidate[]>;
  readonly #basePath: string;
  #listed: Candidate[];

  constructor({ resolved, operations }: Contract, basePath = '') {
    super({ definition: resolved });
    this.#basePath = basePath;
    this.#all = [...operations.values()].map(toCandidate);
    this.#listed = this.#all;
    const [templated, exact] = partition(this.#all, ({ served }) => served.template.parameters.length > 0);
    templated.sort((one, other) => other.served.template.textLength - one.served.template.textLength);
    this.#exact = groupBy(exact, ({ path }) => path);
    this.#templated = groupBy(templated, ({ path }) => countSegments(path));
  }

  override getOperations(): Candidate[] {
    return this.#listed;
  }

  override normalizeRequest<Request>(request: Request): Request {
    return request;
  }

  override normalizePath(path: string): string {
    return path;
  }

  /** What a request asks for. `undefined`: the contract does not have its path. */
  find(path: string, method: string): Match | undefined {
    const operation = this.#match(path, method);
    if (operation) {
      const { template } = operation;
      const hasValues = template.parameters.length > 0;
      return { operation, pathValues: hasValues ? template.valuesIn(path.slice(this.#basePath.length)) : {} };
    }
    return this.methodsOf(path).length > 0 ? { operation, pathValues: {} } : undefined;
  }

  /** The methods of a path, for `Allow`. */
  methodsOf(path: string): string[] {
    return methods
      .filter((method) => this.#match(path, method) !== undefined)
      .map((method) => method.toUpperCase());
  }

  #match(fullPath: string, method: string): Operation | undefined {
    if (!fullPath.startsWith(this.#basePath)) return undefined;
    const path = fullPath.slice(this.#basePath.length);
    const known = this.#exact.get(path) ?? this.#templated.get(countSegments(path)) ?? [];
    const candidates = known.filter(
      ({ method: own, served: { template } }) =>
        own === method && (!template.isDivided || template.matches(path)),
    );
    // One at a time: among several, openapi-backend would not
    // count the text of those that are listed as `{divided}`.
    const found = candidates.find((candidate) => {
      this.#listed = [candidate];
      return this.matchOperation({ path, method, headers: {} }) !== undefined;
    });
    this.#listed = this.#all;
    return found?.served;
  }
}
