import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { OpenAPIRouter } from 'openapi-backend';
import { fromPointerSegment } from '../../lib/jsonPointer.js';
import { publicText } from '../../lib/publicText.js';
import { negotiate } from '../accept.js';
import type { BodyType } from '../bodyTypes.js';
import type { Contract, Operation } from '../contract.js';
import {
  isJsonMedia,
  isObject,
  mediaTypeOf,
  methods,
  type ContractDocument,
  type Schema,
} from '../document.js';
import { isBodiless, responseFor } from '../responses.js';
import { ContractError } from '../source.js';
import { makeAjv } from '../vocabulary.js';
import { compileToken, readSentCookies } from '../runtime/authentication.js';
import { BodyFault } from '../bodies/fileFields.js';
import { ContractRouter } from '../runtime/contractRouter.js';
import { bodyTypeFor, readParameters } from '../runtime/requestInput.js';
import { findUndocumented } from './undocumented.js';
import { validatorsOf, type RequestParts } from '../runtime/validators.js';

/** What of a request or a response is not as the contract says. Never holds a value that was sent. */
export interface Violation {
  readonly in: 'request' | 'response';
  readonly what: 'path' | 'method' | 'security' | 'parameter' | 'content type' | 'body' | 'status' | 'header';
  readonly message: string;
}

/** The body of a message: JSON if it is documented as such, `undefined` if it was too long to be read. */
export type MessageBody = Buffer | undefined;

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** What follows the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** What is known of a request by its method and path. */
export interface CheckedRoute {
  /** `undefined`: there is nothing to compare the rest with. */
  readonly operation: Operation | undefined;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly violations: readonly Violation[];
}

/** Compares what a client and a server say to each other with a contract. */
export interface ExchangeCheck {
  route(request: Pick<RequestHead, 'method' | 'path'>): CheckedRoute;
  checkRequest(route: CheckedRoute, request: RequestHead, body: MessageBody): readonly Violation[];
  /** What can be told before the body is there. */
  checkResponseHead(operation: Operation, response: ResponseHead): readonly Violation[];
  checkResponseBody(operation: Operation, response: ResponseHead, body: Buffer): readonly Violation[];
}

export const makeExchangeCheck = (contract: Contract): ExchangeCheck => {
  const router = new ContractRouter(contract);
  const validators = validatorsOf(contract);
  const checkHeader = makeHeaderCheck(contract);
  const leftOut = new OpenAPIRouter({ definition: withLeftOut(contract), ignoreTrailingSlashes: false });
  const schemes = new Map(Object.entries(contract.resolved.components.securitySchemes ?? {}));
  const tokens = new Map([...schemes].map(([name, scheme]) => [name, compileToken(scheme, readSentCookies)]));
  const keysInQuery = [...schemes.values()].flatMap((scheme) =>
    scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [],
  );

  /** Not one with invalid schemas: it is left out as if the contract had been loaded without it. */
  const canCheck = (operation: Operation): boolean => {
    try {
      contract.examine?.(operation);
      return true;
    } catch (error) {
      if (error instanceof ContractError) return false;
      throw error;
    }
  };

  const checkSecurity = ({ security, hasOptionalSecurity }: Operation, request: RequestHead): Violation[] => {
    if (hasOptionalSecurity) return [];
    const isMet = (names: readonly string[]): boolean =>
      names.every((name) => tokens.get(name)?.(request) !== undefined);
    if (security.length === 0 || security.some(isMet)) return [];
    const needed = security.map((names) => names.join(' and ')).join(', or ');
    return [inRequest('security', `has no credentials for ${needed}`)];
  };

  const checkQuery = ({ parameters, definition }: Operation, { search }: RequestHead): Violation[] => {
    // An object in the query, in a contract of others, has names that are not known here.
    const hasObjects = definition.parameters?.some(
      ({ in: place, schema, content }) => place === 'query' && !content && Object.keys(schema).length === 0,
    );
    if (hasObjects) return [];
    return Object.keys(parseQuery(search, '&', '=', { maxKeys: 0 }))
      .filter((name) => !keysInQuery.includes(name) && !parameters.query.some(({ owns }) => owns(name)))
      .map((name) => inRequest('parameter', `${quote(name)} in the query is not documented`));
  };

  return {
    route: ({ method, path }) => {
      const found = router.find(path, method.toLowerCase());
      const nothing = { operation: undefined, pathValues: {} };
      if (found?.operation) return { ...(canCheck(found.operation) ? found : nothing), violations: [] };
      if (leftOut.matchOperation({ path, method, headers: {} })) return { ...nothing, violations: [] };
      if (!found)
        return { ...nothing, violations: [inRequest('path', 'the contract does not have this path')] };
      const allowed = router.methodsOf(path).join(', ');
      const message = `the contract does not have ${quote(method)} here, only ${allowed}`;
      return { ...nothing, violations: [inRequest('method', message)] };
    },

    checkRequest: ({ operation, pathValues }, request, body) => {
      if (!operation) return [];
      const parts: RequestParts = {
        pathParameters: {},
        query: {},
        headerParameters: {},
        cookies: {},
        body: undefined,
      };
      readParameters({ ...request, ...parts }, operation, pathValues, readSentCookies);
      const sent = checkSentBody(operation, request, body);
      const errors = validators
        .requestErrors(operation, { ...parts, bodyType: sent.bodyType, body: sent.body })
        .filter(({ instancePath, params }) => sent.isReadable || !isOfBody(instancePath, params));
      return [
        ...checkSecurity(operation, request),
        ...checkAccept(operation, request),
        ...checkQuery(operation, request),
        ...sent.violations,
        ...errors.map(requestViolation),
      ];
    },

    checkResponseHead: (operation, { status, headers }) => {
      const documented = responseFor(operation.definition.responses, status);
      if (!documented) return [inResponse('status', `${String(status)} is not documented`)];
      return [
        ...Object.entries(documented.headers ?? {}).flatMap(([name, { required, schema }]) => {
          const value = headers[name.toLowerCase()];
          if (value === undefined)
            return required === true ? [inResponse('header', `${name} is missing`)] : [];
          // Only a header that may be sent several times is a list: `Set-Cookie`.
          const error = schema && [value].flat().flatMap((each) => checkHeader(schema, each) ?? [])[0];
          return error ? [inResponse('header', `${name} ${error.message ?? ''}`)] : [];
        }),
        ...checkResponseType(Object.keys(documented.content ?? {}), status, headers),
      ];
    },

    checkResponseBody: (operation, { status, headers }, body) => {
      const { responses } = operation.definition;
      const documented = responseFor(responses, status);
      if (!documented) return [];
      const { content } = documented;
      // What stands for many statuses, and has no content, leaves open what they have.
      const isOpen = !Object.hasOwn(responses, status);
      if (!content || Object.keys(content).length === 0)
        return body.length === 0 || isOpen
          ? []
          : [inResponse('body', 'there is one, and none is documented')];
      const media = mediaTypeOf(headers['content-type']) ?? '';
      if (!content[media] || !isJsonMedia(media)) return [];
      const parsed = parseJson(body);
      if (!parsed) return [inResponse('body', 'is not JSON')];
      const errors = validators.replyErrors(operation, status, parsed.value, media);
      const undocumented = findUndocumented(content[media].schema ?? {}, parsed.value);
      return [
        ...errors.map((error) => describe(error.instancePath, error)),
        ...undocumented.map(({ path, message, field }) =>
          `${publicText(path)} ${message}${field === undefined ? '' : `: ${quote(field)}`}`.trim(),
        ),
      ].map((message) => inResponse('body', message));
    },
  };
};

const inRequest = (what: Violation['what'], message: string): Violation => ({ in: 'request', what, message });
const inResponse = (what: Violation['what'], message: string): Violation => ({
  in: 'response',
  what,
  message,
});

const checkAccept = (
  { negotiates, offered }: Operation,
  { headers }: Pick<RequestHead, 'headers'>,
): Violation[] =>
  negotiates && negotiate(headers.accept, offered) === undefined
    ? [inRequest('header', `Accept allows none of ${offered.join(', ')}`)]
    : [];

/** A name that a client or a server made up, which may be a secret by mistake. */
const quote = (name: string): string => JSON.stringify(publicText(name).slice(0, 80));

const parseJson = (bytes: Buffer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return undefined;
  }
};

/** What a request has as its body, and what is wrong with it before its schema is asked. */
const checkSentBody = (
  operation: Operation,
  { headers }: RequestHead,
  bytes: MessageBody,
): { bodyType: BodyType | undefined; body: unknown; isReadable: boolean; violations: Violation[] } => {
  const { requestBody, definition } = operation;
  const bodyType = requestBody && bodyTypeFor(requestBody, headers['content-type']);
  const unread = { bodyType, body: undefined, isReadable: false };
  if (!requestBody)
    return {
      ...unread,
      violations: bytes?.length === 0 ? [] : [inRequest('body', 'there is one, and none is documented')],
    };
  if (bytes?.length === 0) {
    const isMissing = definition.requestBody?.required === true;
    return { ...unread, violations: isMissing ? [inRequest('body', 'is missing')] : [] };
  }
  const type = mediaTypeOf(headers['content-type']);
  const documented = requestBody.types.map(({ media }) => media);
  const violations =
    type !== undefined && documented.includes(type)
      ? []
      : [
          inRequest(
            'content type',
            `${type === undefined ? 'none' : quote(type)}, not ${documented.join(' or ')}`,
          ),
        ];
  if (!bodyType?.schema || bytes === undefined) return { ...unread, violations };
  if (bytes.length > requestBody.maxBytes)
    return {
      ...unread,
      violations: [...violations, inRequest('body', `is longer than ${requestBody.maxBytes} bytes`)],
    };
  const sent = bodyType.parse(bytes, headers['content-type'] ?? '');
  if (sent instanceof BodyFault) {
    const faults = sent.reason
      ? [inRequest('body', 'is not multipart/form-data, is incomplete, or has too many or too large parts')]
      : sent.errors.map(requestViolation);
    return { ...unread, violations: [...violations, ...faults] };
  }
  if (sent === undefined) {
    const fault = bodyType.kind === 'json' ? 'is not JSON' : 'is no form, or is not encoded as one';
    return { ...unread, violations: [...violations, inRequest('body', fault)] };
  }
  return { bodyType, body: bodyType.convert(sent), isReadable: true, violations };
};

const bodyPointer = '/requestBody';

const isOfBody = (instancePath: string, params: ErrorObject['params']): boolean =>
  instancePath.startsWith(bodyPointer) || params['missingProperty'] === bodyPointer.slice(1);

/** ajv's path begins with where a parameter stands: `/query/page`. */
const requestViolation = (error: ErrorObject): Violation => {
  const { instancePath } = error;
  if (instancePath.startsWith(bodyPointer))
    return inRequest('body', describe(instancePath.slice(bodyPointer.length), error));
  const [, place = '', ...rest] = instancePath.split('/');
  const name = rest.length === 0 ? '' : `${rest.map(fromPointerSegment).join('/')} in the ${place} `;
  const where = rest.length === 0 && place !== '' ? ` in the ${place}` : '';
  return inRequest('parameter', `${name}${error.message ?? ''}${where}`);
};

const describe = (path: string, { message = '', keyword, params }: ErrorObject): string => {
  const unknown: unknown =
    keyword === 'additionalProperties' ? params['additionalProperty'] : params['unevaluatedProperty'];
  const named = typeof unknown === 'string' ? `: ${quote(unknown)}` : '';
  return `${publicText(path)} ${message}${named}`.trim();
};

const checkResponseType = (
  documented: readonly string[],
  status: number,
  headers: IncomingHttpHeaders,
): Violation[] => {
  if (documented.length === 0 || isBodiless(status)) return [];
  const type = mediaTypeOf(headers['content-type']);
  if (type !== undefined && documented.some((media) => isOfRange(type, media))) return [];
  const given = type === undefined ? 'is missing' : quote(type);
  return [inResponse('content type', `${given}, not ${documented.join(' or ')}`)];
};

/** A contract may document a range such as `image/*`. */
const isOfRange = (type: string, range: string): boolean => {
  const media = range.split(';')[0]?.trim().toLowerCase() ?? '';
  return media === type || media === '*/*' || (media.endsWith('/*') && type.startsWith(media.slice(0, -1)));
};

/** Headers are texts: `42` is an integer. Each schema is compiled once, when it is needed. */
const makeHeaderCheck = ({ resolved }: Contract) => {
  const ajv = makeAjv(resolved, { strict: false, validateSchema: false, coerceTypes: 'array' });
  const compiled = new WeakMap<Schema, ValidateFunction>();
  return (schema: Schema, value: string | string[]): ErrorObject | undefined => {
    const isValid = compiled.get(schema) ?? ajv.compile({ properties: { value: schema } });
    compiled.set(schema, isValid);
    return isValid({ value }) ? undefined : isValid.errors?.[0];
  };
};

/**
 * The operations of the file that could not be loaded; what is said to them is not compared with anything.
 */
const withLeftOut = ({ document, resolved }: Contract): ContractDocument => {
  const leftOut = (path: string, item: unknown): string[] =>
    methods.filter(
      (method) => isObject(item) && Object.hasOwn(item, method) && !resolved.paths[path]?.[method],
    );
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(leftOut(path, item).map((method) => [method, { operationId: method, responses: {} }])),
  ]);
  return { ...resolved, paths: Object.fromEntries(paths) as ContractDocument['paths'] };
};
