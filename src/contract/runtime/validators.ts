import type { Ajv, ErrorObject, Options as AjvOptions, ValidateFunction } from 'ajv';
import { OpenAPIRouter, OpenAPIValidator, type ParsedRequest, type Request } from 'openapi-backend';
import { isCachedBody, type CachedBody } from '../../lib/cachedBody.js';
import { toPointerSegment } from '../../lib/jsonPointer.js';
import { isStreamed } from '../../lib/streamedBody.js';
import type { BodyType } from '../bodyTypes.js';
import { contentTypeOf, type Contract, type Operation } from '../contract.js';
import {
  isObject,
  isOpenApi31,
  jsonContentOf,
  jsonMedia,
  mediaTypeOf,
  type ContractDocument,
  type Parameter,
  type Response,
} from '../document.js';
import { ContractError } from '../source.js';
import { notJson } from '../parameters.js';
import { isTooDeep, maxRecursion } from '../dialects/recursion.js';
import { responseFor, responseKey } from '../responses.js';
import { makeAjv, makeAjv2020, withRecursion, withVocabulary } from '../vocabulary.js';
import type { AnyReply, OperationRequest } from './request.js';

/** The parts of a request that a contract describes. */
export type RequestParts = Pick<
  OperationRequest<unknown>,
  'pathParameters' | 'query' | 'headerParameters' | 'cookies' | 'body'
> &
  Partial<Pick<OperationRequest<unknown>, 'bodyType'>>;

export interface Validators {
  /** Converts parameters that are text to what their schemas say, and returns what does not fit. */
  requestErrors(operation: Operation, parts: RequestParts): ErrorObject[];
  /**
   * Replies with a status that has no schema have no errors.
   * Without a media type the first JSON that the contract documents counts.
   */
  replyErrors(operation: Operation, status: number, body: unknown, media?: string): ErrorObject[];
}

/** Does the contract allow this body for a status of an operation? */
export type FitsReply = (operation: Operation, status: number, body: unknown) => boolean;

const compiled = new WeakMap<Contract, Validators>();

/** A contract is compiled once, however many services of this process serve it. */
export const validatorsOf = (contract: Contract): Validators => {
  const validators = compiled.get(contract) ?? new ContractValidator(contract);
  compiled.set(contract, validators);
  return validators;
};

const sharedAjv = new Map<unknown, Ajv>();

/**
 * Each instance compiles JSON Schema's own schema first, which takes longer than all schemas of a contract.
 */
const shareAjv = (created: Ajv, { coerceTypes }: AjvOptions): Ajv => {
  const shared = sharedAjv.get(coerceTypes) ?? withVocabulary(created);
  sharedAjv.set(coerceTypes, shared);
  // Without what was compiled before: a contract that was replaced must not stay in memory.
  return shared.removeSchema();
};

const sharedAjv2020 = new Map<unknown, Ajv>();

/** The same for OpenAPI 3.1; the formats are those that openapi-backend adds, and ajv-formats'. */
const shareAjv2020 = ({ formats }: Ajv, options: AjvOptions): Ajv => {
  const { coerceTypes } = options;
  const shared = sharedAjv2020.get(coerceTypes) ?? makeAjv2020({ ...options, formats });
  sharedAjv2020.set(coerceTypes, shared);
  return shared.removeSchema();
};

/** Schemas that lead back to themselves belong to one contract, so its validators are its own. */
const makeRecursiveAjv =
  ({ resolved }: Contract) =>
  (created: Ajv, options: AjvOptions): Ajv => {
    const { formats } = created;
    const ajv = isOpenApi31(resolved) ? makeAjv2020({ ...options, formats }) : withVocabulary(created);
    return withRecursion(ajv, resolved);
  };

const noErrors: ErrorObject[] = [];

type ListedOperation = Parameters<
  OpenAPIValidator<ContractDocument>['buildRequestValidatorsForOperation']
>[0];

/**
 * Each media type that a body may have has validators of its own.
 * An operationId may hold any character, a type no line break.
 */
const keyOf = (id: string, media = ''): string => `${media}\n${id}`;

/** openapi-backend validates one kind of body: JSON under its own name. */
const listRequest = (
  { id, definition: { requestBody, parameters, ...others } }: Operation,
  type: BodyType | undefined,
): ListedOperation => {
  // With the `content` of a parameter it would parse it once more, and convert what JSON has as another type.
  const texts = parameters?.map(({ content, ...parameter }) =>
    content ? { ...parameter, schema: {} } : parameter,
  );
  const rest = { ...others, ...(texts && { parameters: texts }), operationId: keyOf(id, type?.media) };
  const content = { [jsonMedia]: { schema: type?.schema } };
  return (
    requestBody && type?.schema ? { ...rest, requestBody: { ...requestBody, content } } : rest
  ) as ListedOperation;
};

/** The same of answers. */
const listReplies = (
  { definition: { responses, ...rest } }: Operation,
  media: string | undefined,
): ListedOperation => {
  const withOneJson = Object.entries(responses).map(([status, { content, ...response }]) => {
    const json = content?.[media ?? ''] ?? jsonContentOf(content)?.described;
    return [status, { ...response, ...(content && { content: json ? { [jsonMedia]: json } : {} }) }];
  });
  return { ...rest, responses: Object.fromEntries(withOneJson) as unknown } as ListedOperation;
};

/** The operations as they are validated. Their requests are parsed already. */
class ListedRequests extends OpenAPIRouter<ContractDocument> {
  readonly #listed: ReadonlyMap<string, ListedOperation>;

  constructor({ resolved, operations }: Contract) {
    super({ definition: resolved });
    const listed = [...operations.values()].flatMap((operation) =>
      (operation.requestBody?.types ?? [undefined]).map((type) => listRequest(operation, type)),
    );
    this.#listed = new Map(listed.map((operation) => [operation.operationId ?? '', operation]));
  }

  override getOperation(key: string): ListedOperation | undefined {
    return this.#listed.get(key);
  }

  override parseRequest(request: Request): ParsedRequest {
    return request as ParsedRequest;
  }
}

/**
 * openapi-backend's validator, with what JSON Schema has no word for. Compiles the schemas of requests now,
 * so that a bad one is found at start, unless the build has compiled them before,
 * or each is examined before its first use. Those of replies are compiled when they are needed.
 */
class ContractValidator extends OpenAPIValidator<ContractDocument> implements Validators {
  readonly #contract: Contract;
  readonly #isRecursive: boolean;
  readonly #jsonValidators = new WeakMap<Parameter, ValidateFunction>();
  #ajv: Ajv | undefined;

  constructor(contract: Contract) {
    const { resolved } = contract;
    const isRecursive = resolved['x-recursive'] !== undefined;
    const shared = isOpenApi31(resolved) ? shareAjv2020 : shareAjv;
    super({
      definition: resolved,
      router: new ListedRequests(contract),
      ajvOpts: { allErrors: true, discriminator: true, addUsedSchema: false, validateSchema: false },
      customizeAjv: isRecursive ? makeRecursiveAjv(contract) : shared,
      lazyCompileValidators: true,
    });
    this.#contract = contract;
    this.#isRecursive = isRecursive;
    if (contract.isPrepared || contract.examine) return;
    for (const { id, requestBody } of contract.operations.values())
      for (const type of requestBody?.types ?? [undefined])
        this.getRequestValidatorsForOperation(keyOf(id, type?.media));
  }

  override buildRequestValidatorsForOperation(listed: ListedOperation): ValidateFunction[] | null {
    try {
      return super.buildRequestValidatorsForOperation(listed);
    } catch (error) {
      const id = listed.operationId?.replace(/^.*\n/, '') ?? '';
      const location = this.#contract.operations.get(id)?.location ?? [];
      throw new ContractError(`${id}: ${(error as Error).message}`, this.#contract.locate(location));
    }
  }

  requestErrors(operation: Operation, request: RequestParts): ErrorObject[] {
    const { id, method, location, requestBody, definition } = operation;
    const type = request.bodyType ?? requestBody?.types[0];
    // A stream is read by the handler.
    const body = request.bodyType?.schema ? request.body : undefined;
    if (this.#isRecursive && isTooDeep(body)) return [tooDeep('/requestBody')];
    const { pathParameters: params, query, headerParameters: headers, cookies } = request;
    const json = definition.parameters?.filter(({ content }) => content) ?? [];
    const parts = { path: params, query, header: headers, cookie: cookies };
    const ownErrors = [
      ...(body === undefined ? noErrors : unpairedSurrogates(body)),
      ...json.flatMap((parameter) => this.#jsonErrors(parameter, parts)),
    ];
    // openapi-backend takes a body that is no object only with this type; hidden, so that no schema meets it.
    if (body !== undefined && typeof body !== 'object')
      Object.defineProperty(headers, 'content-type', { value: jsonMedia });
    const path = String(location[1]);
    const parsed: ParsedRequest = { method, path, params, query, headers, cookies, requestBody: body };
    const { errors } = this.validateRequest(parsed, keyOf(id, type?.media));
    return [...ownErrors, ...(errors ?? noErrors)];
  }

  replyErrors(operation: Operation, status: number, body: unknown, media?: string): ErrorObject[] {
    if (this.#isRecursive && isTooDeep(body)) return [tooDeep('')];
    const { id, definition, hasOtherJson } = operation;
    const key = keyOf(id, hasOtherJson ? media : undefined);
    const validators = (this.statusBasedResponseValidators[key] ??=
      this.buildStatusBasedResponseValidatorForOperation(listReplies(operation, media)));
    const isValid = validators?.[responseKey(definition.responses, status) ?? ''];
    // openapi-backend knows an absent body as null.
    return isValid && !isValid(body ?? null) ? (isValid.errors ?? []) : [];
  }

  /** What is wrong with a parameter that is written as JSON. */
  #jsonErrors(
    parameter: Parameter,
    parts: Readonly<Record<Parameter['in'], Readonly<Record<string, unknown>>>>,
  ): ErrorObject[] {
    const { name, in: place, schema } = parameter;
    const key = place === 'header' ? name.toLowerCase() : name;
    const value = Object.hasOwn(parts[place], key) ? parts[place][key] : undefined;
    const at = `/${place}/${toPointerSegment(key)}`;
    if (value === undefined) return noErrors;
    if (value === notJson) return [errorAt(at, 'type', 'must be JSON')];
    if (isTooDeep(value)) return [tooDeep(at)];
    this.#ajv ??= makeAjv(this.definition, {
      allErrors: true,
      strict: false,
      addUsedSchema: false,
      validateSchema: false,
    });
    const isValid = this.#jsonValidators.get(parameter) ?? this.#ajv.compile(schema);
    this.#jsonValidators.set(parameter, isValid);
    const misfits = isValid(value) ? noErrors : (isValid.errors ?? noErrors);
    const inside = misfits.map((error) => ({ ...error, instancePath: at + error.instancePath }));
    return [...unpairedSurrogates(value, at), ...inside];
  }
}

/**
 * Finds the texts of a JSON body with half a surrogate pair, as `"\ud800"` writes it.
 * No database and no encoding can hold them, and JSON schema has no word against them. Names of fields count
 * as texts of the object that has them. A body may be nested deeper than functions can call themselves.
 */
const unpairedSurrogates = (body: unknown, at = '/requestBody'): ErrorObject[] => {
  const errors: ErrorObject[] = [];
  const open: { readonly value: unknown; readonly path: string }[] = [{ value: body, path: at }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) errors.push(errorAt(path));
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        open.push({ value: item, path: `${path}/${String(index)}` });
    } else if (isObject(value) && Object.getPrototypeOf(value) === Object.prototype) {
      for (const [name, field] of Object.entries(value))
        if (name.isWellFormed()) open.push({ value: field, path: `${path}/${toPointerSegment(name)}` });
        else errors.push(errorAt(path));
    }
  }
  return errors;
};

const errorAt = (
  instancePath: string,
  keyword = 'wellFormed',
  message = 'must not have unpaired surrogates',
): ErrorObject => ({ instancePath, schemaPath: '', keyword, params: {}, message });

const tooDeep = (instancePath: string): ErrorObject =>
  errorAt(instancePath, 'maxDepth', `must not be nested deeper than ${String(maxRecursion)} levels`);

/**
 * Called with a reply that the contract does not document.
 * May throw to refuse it, unless it is an error already.
 */
export type OnViolation = (operationId: string, what: string, mayThrow?: boolean) => void;

const hasContent = (response: Response | undefined): boolean =>
  Object.keys(response?.content ?? {}).length > 0;

/** Compares replies with the contract, a cached body only once. */
export const makeReplyCheck = (validators: Validators, onViolation: OnViolation) => {
  const checked = new WeakSet<CachedBody<unknown>>();
  return (operation: Operation, reply: AnyReply, accepted?: string): void => {
    const { status, body } = reply;
    const cached = isCachedBody(body) ? body : undefined;
    if (cached && checked.has(cached)) return;
    const { id, definition } = operation;
    const documented = responseFor(definition.responses, status);
    if (!documented) onViolation(id, `status ${String(status)} is not documented`);
    // What stands for many statuses, and has no content, leaves open what they have.
    const isExact = Object.hasOwn(definition.responses, status);
    if (isExact && !isStreamed(body) && body !== undefined && !hasContent(documented)) {
      onViolation(id, `the reply of ${String(status)} has a body, and none is documented`);
      return;
    }
    if (isStreamed(body)) {
      if (contentTypeOf(operation, reply, 'stream', accepted) === undefined)
        onViolation(
          id,
          `the media type of ${String(status)} is not documented, or one of several was not chosen`,
        );
      return;
    }
    const media = operation.hasOtherJson
      ? mediaTypeOf(contentTypeOf(operation, reply, 'json', accepted))
      : undefined;
    const errors = validators.replyErrors(
      operation,
      status,
      cached ? JSON.parse(cached.bytes.toString()) : body,
      media,
    );
    if (errors.length > 0)
      onViolation(
        id,
        errors.map(({ instancePath, message = '' }) => `${instancePath} ${message}`).join(', '),
      );
    if (cached) checked.add(cached);
  };
};
