import type { Ajv, ErrorObject, Options as AjvOptions, ValidateFunction } from 'ajv';
import { OpenAPIRouter, OpenAPIValidator } from 'openapi-backend';
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
  type OperationObject,
  type Parameter,
  type Response,
} from '../document.js';
import { ContractError } from '../source.js';
import { notJson } from '../parameters.js';
import { isTooDeep, maxRecursion } from '../recursion.js';
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
   * Replies with a status that has no schema have no errors. Without a media type the first JSON that the contract documents
   * counts.
   */
  replyErrors(operation: Operation, status: number, body: unknown, media?: string): ErrorObject[];
}

/** Does the contract allow this body for a status of an operation? */
export type FitsReply = (operation: Operation, status: number, body: unknown) => boolean;

const compiled = new WeakMap<Contract, Validators>();

/** A contract is compiled once, however many services of this process serve it. */
export const validatorsOf = (contract: Contract): Validators => {
  const validators = compiled.get(contract) ?? compileValidators(contract);
  compiled.set(contract, validators);
  return validators;
};

const sharedAjv = new Map<unknown, Ajv>();

/** Each instance compiles JSON Schema's own schema first, which takes longer than all schemas of a contract. */
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

/** openapi-backend validates one kind of body: JSON under its own name. */
const withOneBody = (
  { requestBody, parameters, ...others }: OperationObject,
  type: BodyType | undefined,
): unknown => {
  // It would convert what JSON has as another type.
  const texts = parameters?.map(({ content, ...parameter }) =>
    content ? { ...parameter, schema: {} } : parameter,
  );
  const rest = { ...others, ...(texts && { parameters: texts }) };
  if (!requestBody || !type?.schema) return rest;
  return { ...rest, requestBody: { ...requestBody, content: { [jsonMedia]: { schema: type.schema } } } };
};

/** The same of answers. */
const withOneJson = ({ responses, ...rest }: OperationObject, media = ''): unknown => ({
  ...rest,
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, { content, ...response }]) => {
      const json = content?.[media] ?? jsonContentOf(content)?.described;
      return [status, { ...response, ...(content && { content: json ? { [jsonMedia]: json } : {} }) }];
    }),
  ),
});

/**
 * Compiles the schemas of requests now, so that a bad one is found at start, unless the build has compiled them before, or
 * each is examined before its first use. Those of replies are compiled when they are needed.
 */
const compileValidators = (contract: Contract): Validators => {
  const isRecursive = contract.resolved['x-recursive'] !== undefined;
  const shared = isOpenApi31(contract.resolved) ? shareAjv2020 : shareAjv;
  const router = new OpenAPIRouter({ definition: contract.resolved });
  const validator = new OpenAPIValidator({
    definition: router.definition,
    router,
    ajvOpts: { allErrors: true, discriminator: true, addUsedSchema: false, validateSchema: false },
    customizeAjv: isRecursive ? makeRecursiveAjv(contract) : shared,
    lazyCompileValidators: true,
  });
  const compileRequest = (
    { id, definition, location }: Operation,
    type: BodyType | undefined,
  ): ValidateFunction[] => {
    try {
      return (
        validator.buildRequestValidatorsForOperation(withOneBody(definition, type) as ListedOperation) ?? []
      );
    } catch (error) {
      throw new ContractError(`${id}: ${(error as Error).message}`, contract.locate(location));
    }
  };
  const requestValidators = new Map<Operation | BodyType, ValidateFunction[]>();
  const requestValidatorsOf = (operation: Operation, type: BodyType | undefined): ValidateFunction[] => {
    const known = requestValidators.get(type ?? operation) ?? compileRequest(operation, type);
    requestValidators.set(type ?? operation, known);
    return known;
  };
  const compileReplies = ({ definition }: Operation, media: string | undefined) =>
    validator.buildStatusBasedResponseValidatorForOperation(
      withOneJson(definition, media) as ListedOperation,
    );
  const replyValidators = new Map<string, ReturnType<typeof compileReplies>>();
  const replyValidatorsOf = (
    operation: Operation,
    media: string | undefined,
  ): ReturnType<typeof compileReplies> => {
    const { id, hasOtherJson } = operation;
    const key = hasOtherJson && media !== undefined ? `${id} ${media}` : id;
    const known = replyValidators.get(key) ?? compileReplies(operation, media);
    replyValidators.set(key, known);
    return known;
  };
  let ajv: Ajv | undefined;
  const jsonValidators = new WeakMap<Parameter, ValidateFunction>();
  /** What is wrong with a parameter that is written as JSON. */
  const jsonErrors = (
    parameter: Parameter,
    parts: Readonly<Record<Parameter['in'], Readonly<Record<string, unknown>>>>,
  ): ErrorObject[] => {
    const { name, in: place, schema } = parameter;
    const key = place === 'header' ? name.toLowerCase() : name;
    const value = Object.hasOwn(parts[place], key) ? parts[place][key] : undefined;
    const at = `/${place}/${toPointerSegment(key)}`;
    if (value === undefined) return noErrors;
    if (value === notJson) return [errorAt(at, 'type', 'must be JSON')];
    if (isTooDeep(value)) return [tooDeep(at)];
    ajv ??= makeAjv(contract.resolved, {
      allErrors: true,
      strict: false,
      addUsedSchema: false,
      validateSchema: false,
    });
    const isValid = jsonValidators.get(parameter) ?? ajv.compile(schema);
    jsonValidators.set(parameter, isValid);
    const misfits = isValid(value) ? noErrors : (isValid.errors ?? noErrors);
    const inside = misfits.map((error) => ({ ...error, instancePath: at + error.instancePath }));
    return [...unpairedSurrogates(value, at), ...inside];
  };
  if (!contract.isPrepared && !contract.examine)
    for (const operation of contract.operations.values())
      for (const type of operation.requestBody?.types ?? [undefined]) requestValidatorsOf(operation, type);
  return {
    requestErrors: (operation, request) => {
      const parts = {
        path: request.pathParameters,
        query: request.query,
        header: request.headerParameters,
        cookie: request.cookies,
        // A stream is read by the handler.
        requestBody: request.bodyType?.schema ? request.body : undefined,
      };
      if (isRecursive && isTooDeep(parts.requestBody)) return [tooDeep('/requestBody')];
      let errors = parts.requestBody === undefined ? noErrors : unpairedSurrogates(parts.requestBody);
      const json = operation.definition.parameters?.filter(({ content }) => content) ?? [];
      for (const parameter of json) errors = [...errors, ...jsonErrors(parameter, parts)];
      const type = request.bodyType ?? operation.requestBody?.types[0];
      for (const isValid of requestValidatorsOf(operation, type))
        if (!isValid(parts)) errors = [...errors, ...(isValid.errors ?? [])];
      return errors;
    },
    replyErrors: (operation, status, body, media) => {
      if (isRecursive && isTooDeep(body)) return [tooDeep('')];
      const key = responseKey(operation.definition.responses, status);
      const isValid = key === undefined ? undefined : replyValidatorsOf(operation, media)?.[key];
      // openapi-backend knows an absent body as null.
      return isValid && !isValid(body ?? null) ? (isValid.errors ?? []) : [];
    },
  };
};

/**
 * Finds the texts of a JSON body with half a surrogate pair, as `"\ud800"` writes it. No database and no encoding can
 * hold them, and JSON schema has no word against them. Names of fields count as texts of the object that has them.
 * A body may be nested deeper than functions can call themselves.
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

/** Called with a reply that the contract does not document. May throw to refuse it, unless it is an error already. */
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
