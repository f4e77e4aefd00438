import { randomUUID } from 'node:crypto';
import { json, type Call, type Reply } from './route.js';
import { atLeast, type Settings } from './settings.js';

/** A refusal of the Integration API, thrown where it is noticed and answered in one place. */
export class Refusal extends Error {
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
export const mismatch = (name: string, value: string): Refusal =>
  new Refusal(400, 'api.request.argument-type-mismatch', `'${value}' is not a valid '${name}' value`);

export const notFound = (what: string, id = ''): Refusal =>
  new Refusal(404, 'api.resource-not-found', `${what} '${id}' not found`);

const statusNames = { 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' } as const;

/** The application's own error body. */
export const applicationError = (
  { version, clock }: Settings,
  call: Call,
  { status, code, message }: Refusal,
): Reply =>
  json(status, {
    statusCode: status,
    statusName: statusNames[status],
    ...(atLeast(version, '10.0.162') && { code }),
    message,
    timestamp: new Date(clock()).toISOString(),
    requestPath: call.path.replace(/^\/proxy\/network/, ''),
    requestId: randomUUID(),
  });

/** The error body of the gateway in front of the application, on UniFi OS and in the cloud. */
export const gatewayError = (status: number, message: string): Reply =>
  json(status, { error: { code: status, message } });
