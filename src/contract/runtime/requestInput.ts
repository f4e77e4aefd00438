import { parse as parseQuery } from 'node:querystring';
import { HttpProblem } from '../../errors/httpProblem.js';
import { andThen, type Awaitable } from '../../lib/awaitable.js';
import type { BodyType, RequestBody } from '../bodyTypes.js';
import type { Operation } from '../contract.js';
import { mediaTypeOf } from '../document.js';
import { BodyFault } from '../bodies/fileFields.js';
import { maxPartHeaderBytes, maxParts, type MultipartFault } from '../bodies/multipart.js';
import type { ParameterReader } from '../parameters.js';
import type { ReadCookies } from './authentication.js';
import { InvalidRequest, OtherMediaType } from './invalidRequest.js';
import type { AnyReply, OperationRequest, RequestClient } from './request.js';
import type { RequestParts } from './validators.js';

/** Reads the documented parameters only. */
export const readParameters = <
  Request extends Pick<OperationRequest<unknown>, 'headers' | 'search'> & Omit<RequestParts, 'body'>,
>(
  request: Request,
  { parameters: { path, query, header, cookie } }: Operation,
  pathValues: Readonly<Record<string, string>>,
  readCookies: ReadCookies<Request>,
): void => {
  readInto(request.pathParameters, path, pathValues);
  if (query.length > 0) readInto(request.query, query, parseQuery(request.search, '&', '=', { maxKeys: 0 }));
  readInto(request.headerParameters, header, request.headers);
  if (cookie.length > 0) readInto(request.cookies, cookie, readCookies(request));
};

const readInto = (
  values: Record<string, unknown>,
  readers: readonly ParameterReader[],
  sent: Readonly<Record<string, unknown>>,
): void => {
  for (const { key, pick, read } of readers) {
    const value = read(pick ? pick(sent) : Object.hasOwn(sent, key) ? sent[key] : undefined);
    if (value !== undefined) values[key] = value;
  }
};

/** Is a body sent as it is, in UTF-8 where it is text? */
const isPlain = ({ headers }: Pick<OperationRequest<unknown>, 'headers'>): boolean => {
  const encoding = String(headers['content-encoding'] ?? 'identity').trim();
  const charsets = String(headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi);
  return /^identity$/i.test(encoding) && [...charsets].every(([, charset = '']) => /^utf-?8$/i.test(charset));
};

/**
 * Reads the body and converts it; one without fields is passed on as a stream.
 * A contract that documents the refusal takes no compressed bodies and no other charsets;
 * others are read as UTF-8 whatever the headers say.
 */
export const readBody = async (
  request: OperationRequest<unknown>,
  operation: Operation,
  body: RequestBody,
): Promise<void> => {
  if (operation.problems.has('unsupported_media_type') && !isPlain(request))
    throw new HttpProblem('unsupported_media_type');
  const type = requireBodyType(request, operation, body);
  request.bodyType = type;
  if (type.kind === 'stream') {
    request.body = request.streamBody(body.maxBytes);
    return;
  }
  const sent = parseBody(
    await request.readBody(body.maxBytes, type.kind === 'multipart'),
    type,
    request,
    body,
  );
  request.body = type.convert(sent);
  request.sentBody = type.convertSent(sent);
};

const multipartLimits: Readonly<Record<MultipartFault, Readonly<Record<string, string>>>> = {
  multipart: {},
  multipart_boundary: {},
  multipart_parts: { limit: String(maxParts) },
  multipart_headers: { limit: `${String(maxPartHeaderBytes / 1024)} KiB` },
};

/** No body at all is a form without fields, unless the contract says that there need not be one. */
const parseBody = (
  bytes: Buffer,
  { kind, parse, messageFor }: BodyType,
  { headers }: Pick<OperationRequest<unknown>, 'headers'>,
  { isRequired }: RequestBody,
): unknown => {
  if (kind !== 'json' && bytes.length === 0 && !isRequired) return undefined;
  const sent = parse(bytes, headers['content-type']?.toString() ?? '');
  if (sent instanceof BodyFault) {
    if (sent.reason) throw new InvalidRequest(sent.reason, multipartLimits[sent.reason]);
    throw new HttpProblem('invalid_request', { message: messageFor(sent.errors) });
  }
  // Of JSON the contract says itself what something else counts as.
  if (kind === 'form' && sent === undefined)
    throw new HttpProblem('invalid_request', { message: messageFor([]) });
  return sent;
};

/**
 * How a body with this content type is read. Where there is
 * only JSON, everything counts as that: `curl -d` works.
 */
export const bodyTypeFor = (
  { types }: RequestBody,
  contentType: string | undefined,
): BodyType | undefined => {
  const media = mediaTypeOf(contentType);
  const [first, ...others] = types;
  return (
    types.find((type) => type.media === media) ??
    (first?.kind === 'json' && others.length === 0 ? first : undefined)
  );
};

/** A request without a body need not say of which type it is. */
const requireBodyType = (
  request: OperationRequest<unknown>,
  { messageFor }: Operation,
  body: RequestBody,
): BodyType => {
  const [first] = body.types;
  const contentType = request.headers['content-type']?.toString();
  const type = bodyTypeFor(body, contentType);
  if (type) return type;
  if (contentType !== undefined || request.hasBody() || !first)
    throw new OtherMediaType(body.types.map((documented) => documented.media).join(', '));
  if (body.isRequired) throw new HttpProblem('invalid_request', { message: messageFor([]) });
  return first;
};

/**
 * What a handler gets. The signal is made on demand, by a getter of the class:
 * a getter per object costs each request.
 */
export class HandlerRequest {
  readonly input: ReturnType<typeof inputOf>;
  readonly principal: unknown;
  readonly reply = makeReply;
  readonly #request: OperationRequest<unknown>;

  constructor(request: OperationRequest<unknown>, operation: Operation) {
    this.#request = request;
    this.input = inputOf(request, operation);
    this.principal = request.key;
  }

  get signal(): AbortSignal {
    return this.#request.signal();
  }

  get client(): RequestClient {
    return this.#request.client();
  }
}

const inputOf = (request: OperationRequest<unknown>, { parameters }: Operation) => {
  const {
    pathParameters: path,
    query,
    headerParameters,
    cookies: cookie,
    body,
    sentBody,
    accepted,
  } = request;
  const mediaType = request.bodyType?.media;
  const header: Record<string, unknown> = {};
  for (const { name, key } of parameters.header) header[name] = headerParameters[key];
  return { path, query, header, cookie, mediaType, body, sentBody, accept: accepted };
};

const makeReply = (status: number, body?: unknown, headers?: AnyReply['headers']): Awaitable<AnyReply> =>
  andThen(body, (known) => (headers ? { status, body: known, headers } : { status, body: known }));
