import { randomUUID } from 'node:crypto';
import { FilterError, parseFilter, type Filter, type Property } from './filter.js';
import { isJsonObject, jsonReply, type ConsoleReply, type ConsoleRequest } from './router.js';
import { isVersionAtLeast, type ConsoleSettings } from './settings.js';
import type { SimulatedOrder, SimulatedSite, SimulatedVoucher } from './voucherStore.js';

/** An error of the Integration API. Thrown anywhere, turned into a reply in one place. */
export class IntegrationError extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: 400 | 401 | 403 | 404,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A value of the wrong type in path or query. */
export const argumentMismatch = (name: string, value: string): IntegrationError =>
  new IntegrationError(
    400,
    'api.request.argument-type-mismatch',
    `'${value}' is not a valid '${name}' value`,
  );

export const resourceNotFound = (what: string, id = ''): IntegrationError =>
  new IntegrationError(404, 'api.resource-not-found', `${what} '${id}' not found`);

const statusNames = { 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' } as const;

/** The application's own error body. */
export const applicationError = (
  { version, clock }: ConsoleSettings,
  call: ConsoleRequest,
  { status, code, message }: IntegrationError,
): ConsoleReply =>
  jsonReply(status, {
    statusCode: status,
    statusName: statusNames[status],
    ...(isVersionAtLeast(version, '10.0.162') && { code }),
    message,
    timestamp: new Date(clock()).toISOString(),
    requestPath: call.path.replace(/^\/proxy\/network/, ''),
    requestId: randomUUID(),
  });

/** The error body of the gateway in front of the application, on UniFi OS and in the cloud. */
export const gatewayError = (status: number, message: string): ConsoleReply =>
  jsonReply(status, { error: { code: status, message } });

type Body = Readonly<Record<string, unknown>>;

/** The order of vouchers in a request, checked against the documented bounds. */
export const readIntegrationOrder = (
  body: unknown,
  { version }: ConsoleSettings,
): { readonly count: number; readonly order: SimulatedOrder } => {
  if (!isJsonObject(body))
    throw new IntegrationError(400, 'api.request.error', 'The request body can not be read');
  const { name } = body;
  if (typeof name !== 'string') throw invalid('name', 'must be a string');
  if (name === '' && isVersionAtLeast(version, '10.1.68')) throw invalid('name', 'must not be empty');
  const minutes = whole(body, 'timeLimitMinutes', 1, 1_000_000);
  if (minutes === undefined) throw invalid('timeLimitMinutes', 'must not be null');
  return {
    count: whole(body, 'count', 1, 1000) ?? 1,
    order: {
      name,
      minutes,
      limit: whole(body, 'authorizedGuestLimit', 1, Number.MAX_SAFE_INTEGER) ?? 0,
      quotaMb: whole(body, 'dataUsageLimitMBytes', 1, 1_048_576) ?? 0,
      down: whole(body, 'rxRateLimitKbps', 2, 100_000) ?? 0,
      up: whole(body, 'txRateLimitKbps', 2, 100_000) ?? 0,
    },
  };
};

const whole = (body: Body, field: string, from: number, to: number): number | undefined => {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalid(field, 'must be an integer');
  if (value < from || value > to) throw invalid(field, `must be between ${from} and ${to}`);
  return value;
};

const invalid = (field: string, why: string): IntegrationError =>
  new IntegrationError(400, 'api.request.error', `'${field}' ${why}`);

/** The items that match the query's `filter`; all without a filter. */
export const filtered = <T>(
  items: readonly T[],
  query: URLSearchParams,
  properties: Readonly<Record<string, Property<T>>>,
): readonly T[] => {
  const text = query.get('filter');
  if (text === null) return items;
  let filter: Filter<T>;
  try {
    filter = parseFilter(text, properties);
  } catch (error) {
    if (error instanceof FilterError) throw new IntegrationError(400, 'api.request.error', error.message);
    throw error;
  }
  return items.filter(filter);
};

/** The page that `offset` and `limit` select. A `limit` above the maximum is not refused: the reply shows the one that was used. */
export const pageReply = <T>(
  query: URLSearchParams,
  limits: { readonly usual: number; readonly most: number },
  items: readonly T[],
  show: (item: T) => unknown,
): ConsoleReply => {
  const offset = wholeNumber(query, 'offset', 0);
  const limit = Math.min(wholeNumber(query, 'limit', limits.usual), limits.most);
  const data = items.slice(offset, offset + limit).map(show);
  return jsonReply(200, { offset, limit, count: data.length, totalCount: items.length, data });
};

const wholeNumber = (query: URLSearchParams, name: string, usual: number): number => {
  const text = query.get(name);
  if (text === null) return usual;
  if (!/^\d+$/.test(text)) throw argumentMismatch(name, text);
  return Number(text);
};

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const isExpired = ({ expiresAt }: SimulatedVoucher, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** A voucher in the format of the Integration API: limits that are not set are omitted. */
export const integrationVoucher = (voucher: SimulatedVoucher, now: number): unknown => {
  const { activatedAt, expiresAt, limit, down, up, quotaMb } = voucher;
  return {
    id: voucher.id,
    createdAt: iso(voucher.createdAt),
    name: voucher.name,
    code: voucher.code,
    ...(limit > 0 && { authorizedGuestLimit: limit }),
    authorizedGuestCount: voucher.used,
    ...(activatedAt !== undefined && { activatedAt: iso(activatedAt) }),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    expired: isExpired(voucher, now),
    timeLimitMinutes: voucher.minutes,
    ...(quotaMb > 0 && { dataUsageLimitMBytes: quotaMb }),
    ...(down > 0 && { rxRateLimitKbps: down }),
    ...(up > 0 && { txRateLimitKbps: up }),
  };
};

const equalityFunctions = ['eq', 'ne', 'in', 'notIn'] as const;
const orderedFunctions = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
const nullableFunctions = ['isNull', 'isNotNull', ...orderedFunctions] as const;

const limitOrUndefined = (limit: number): number | undefined => (limit > 0 ? limit : undefined);

/** The properties that vouchers can be filtered by. */
export const voucherProperties = (
  now: () => number,
): Readonly<Record<string, Property<SimulatedVoucher>>> => ({
  id: { type: 'uuid', functions: equalityFunctions, value: ({ id }) => id },
  createdAt: { type: 'timestamp', functions: orderedFunctions, value: ({ createdAt }) => createdAt },
  name: { type: 'string', functions: [...equalityFunctions, 'like'], value: ({ name }) => name },
  code: { type: 'string', functions: equalityFunctions, value: ({ code }) => code },
  authorizedGuestLimit: {
    type: 'integer',
    functions: nullableFunctions,
    value: ({ limit }) => limitOrUndefined(limit),
  },
  authorizedGuestCount: { type: 'integer', functions: orderedFunctions, value: ({ used }) => used },
  activatedAt: { type: 'timestamp', functions: orderedFunctions, value: ({ activatedAt }) => activatedAt },
  expiresAt: { type: 'timestamp', functions: orderedFunctions, value: ({ expiresAt }) => expiresAt },
  expired: { type: 'boolean', functions: ['eq', 'ne'], value: (voucher) => isExpired(voucher, now()) },
  timeLimitMinutes: { type: 'integer', functions: orderedFunctions, value: ({ minutes }) => minutes },
  dataUsageLimitMBytes: {
    type: 'integer',
    functions: nullableFunctions,
    value: ({ quotaMb }) => limitOrUndefined(quotaMb),
  },
  rxRateLimitKbps: {
    type: 'integer',
    functions: nullableFunctions,
    value: ({ down }) => limitOrUndefined(down),
  },
  txRateLimitKbps: { type: 'integer', functions: nullableFunctions, value: ({ up }) => limitOrUndefined(up) },
});

/** The properties that sites can be filtered by. */
export const siteProperties: Readonly<Record<string, Property<SimulatedSite>>> = {
  id: { type: 'uuid', functions: equalityFunctions, value: ({ id }) => id },
  internalReference: { type: 'string', functions: equalityFunctions, value: ({ reference }) => reference },
  name: { type: 'string', functions: equalityFunctions, value: ({ name }) => name },
};
