import { OpenAPIRouter } from 'openapi-backend';
import { groupBy } from '../../lib/collections.js';
import type { Contract, Operation } from '../contract.js';
import type { PathTemplate } from '../pathTemplate.js';

type ListedOperation = ReturnType<OpenAPIRouter['getOperations']>[number];

/**
 * openapi-backend's router over a fixed list of operations: by default it rebuilds the list for every request.
 * Paths are compared as they are: the server has already cut off the query and merged repeated slashes.
 */
export class ListedRouter extends OpenAPIRouter {
  readonly #operations: ListedOperation[];

  constructor({ resolved }: Contract, operations: readonly Pick<ListedOperation, 'path' | 'method'>[]) {
    super({ definition: resolved });
    this.#operations = operations.map(({ path, method }) => ({ path, method, responses: {} }));
  }

  override getOperations(): ListedOperation[] {
    return this.#operations;
  }

  override normalizeRequest<Request>(request: Request): Request {
    return request;
  }

  override normalizePath(path: string): string {
    return path;
  }

  /** The path of the contract, `/orders/{id}`, that a request asks for. */
  match(path: string, method: string): string | undefined {
    return this.matchOperation({ path, method, headers: {} })?.path;
  }
}

/** All that a request to one path with one method needs. */
type OperationRoute<Bound> = Bound & {
  /** What the path has in the places of its parameters, as it was sent. */
  readonly pathValues: Readonly<Record<string, string>>;
};

/** The operations of one path, by method. */
type PathRoutes<Bound> = Map<string, OperationRoute<Bound>>;

/** A path with parameters and its operations. */
interface ParameterPath<Bound> {
  readonly template: PathTemplate;
  readonly routes: PathRoutes<Bound>;
}

/** openapi-backend matches path and method together. Matching the path alone lets a 405 name the methods that exist. */
const anyMethod = 'any';

const countSegments = (path: string): number => path.split('/').length;

/**
 * Finds what is bound to operations by path and method. Paths without parameters are looked up in a table. openapi-backend
 * matches the others, among the paths with as many segments: it builds a regular expression for each path it compares. With
 * several parameters between two slashes such an expression could take long for a hostile path, so the template matches.
 */
export class ContractRouter<Bound> {
  /** With the base path. */
  readonly #exactPaths = new Map<string, PathRoutes<Bound>>();
  /** As the contract has them. */
  readonly #parameterPaths = new Map<string, ParameterPath<Bound>>();
  readonly #routers = new Map<number, ListedRouter>();
  /** Those with several parameters between two slashes, the ones with more text first. */
  readonly #dividedPaths: readonly ParameterPath<Bound>[];
  readonly #basePath: string;

  constructor(contract: Contract, basePath: string, bound: ReadonlyMap<string, Bound>) {
    this.#basePath = basePath;
    for (const [id, operation] of contract.operations) {
      const handled = bound.get(id);
      if (handled) this.#routesOf(operation).set(operation.method, { ...handled, pathValues: {} });
    }
    const undivided = [...this.#parameterPaths].filter(([, { template }]) => !template.isDivided);
    this.#dividedPaths = [...this.#parameterPaths.values()]
      .filter(({ template }) => template.isDivided)
      .sort((one, other) => other.template.textLength - one.template.textLength);
    for (const [segments, paths] of groupBy(
      undivided.map(([path]) => path),
      countSegments,
    )) {
      const listed = paths.map((path) => ({ path, method: anyMethod }));
      this.#routers.set(segments, new ListedRouter(contract, listed));
    }
  }

  #routesOf({ location, template }: Operation): PathRoutes<Bound> {
    const path = String(location[1]);
    const known = this.#exactPaths.get(this.#basePath + path) ?? this.#parameterPaths.get(path)?.routes;
    if (known) return known;
    const routes: PathRoutes<Bound> = new Map();
    if (template.parameters.length === 0) this.#exactPaths.set(this.#basePath + path, routes);
    else this.#parameterPaths.set(path, { template, routes });
    return routes;
  }

  #match(path: string): (ParameterPath<Bound> & { readonly relative: string }) | undefined {
    if (!path.startsWith(this.#basePath)) return undefined;
    const relative = path.slice(this.#basePath.length);
    const matched = this.#routers.get(countSegments(relative))?.match(relative, anyMethod);
    const whole = matched === undefined ? undefined : this.#parameterPaths.get(matched);
    const divided = this.#dividedPaths.find(({ template }) => template.matches(relative));
    const isDivided = divided && divided.template.textLength >= (whole?.template.textLength ?? 0);
    const found = isDivided ? divided : whole;
    return found && { ...found, relative };
  }

  find(path: string, method: string): OperationRoute<Bound> | undefined {
    const routes = this.#exactPaths.get(path);
    if (routes) return routes.get(method);
    const match = this.#match(path);
    const route = match?.routes.get(method);
    return route && { ...route, pathValues: match?.template.valuesIn(match.relative) ?? {} };
  }

  /** Is there an operation at this path, whatever its method? */
  handles(path: string): boolean {
    return this.#exactPaths.has(path) || this.#match(path) !== undefined;
  }

  /** The methods of a path, for `Allow`. */
  methodsOf(path: string): string[] {
    const routes = this.#exactPaths.get(path) ?? this.#match(path)?.routes;
    return [...(routes?.keys() ?? [])].map((method) => method.toUpperCase());
  }
}
