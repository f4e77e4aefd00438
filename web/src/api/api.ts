import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import type { paths } from '../../../generated/web.ts';
import { untilReleased } from './eventsGate.ts';
import type { Schemas } from './schemas.ts';
import { basePath } from './serviceMeta.ts';

/** An answer that is an error. `message` is a key of the texts in errors.json. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly error: Schemas['Error']['error'],
    message: string,
    readonly requestId: string | null,
    /** Seconds after which the request may be repeated. */
    readonly retryAfterS: number | null,
    /** What the text is filled with. */
    readonly values: Readonly<Record<string, number>> = {},
  ) {
    super(message);
  }
}

type ErrorBody = Schemas['Error'] & Pick<Schemas['LimitError'], 'values'>;

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'error' in body && 'message' in body;

/** Makes an error of an answer, also where something between browser and service has written it. */
export const toApiError = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const { error, message, values }: ErrorBody = isErrorBody(body)
    ? body
    : { error: 'server_error', message: 'unexpected-answer' };
  const retryAfterS = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  return new ApiError(
    response.status,
    error,
    message,
    response.headers.get('X-Request-Id'),
    Number.isNaN(retryAfterS) ? null : retryAfterS,
    values,
  );
};

const throwErrors: Middleware = {
  onResponse: async ({ response }) => {
    if (!response.ok) throw await toApiError(response);
  },
  onError: () => new ApiError(0, 'unavailable', 'unreachable', null, null),
};

const waitForEvents: Middleware = {
  onRequest: async ({ request, schemaPath }) => {
    // Whether there are events at all depends on the session.
    if (request.method === 'GET' && schemaPath !== '/session') await untilReleased();
  },
};

/** The typed client of web.yaml. Answers that are errors are thrown as ApiError. */
export const client = createFetchClient<paths>({ baseUrl: `${basePath}/web` });
client.use(throwErrors, waitForEvents);

/** The same as hooks of TanStack Query: `api.useQuery('get', '/keys')`. */
export const api = createQueryClient(client);

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;
