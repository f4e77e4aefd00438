/** An answer that is an error, as the API describes it. */
export class VoucherApiError<Code extends string = string> extends Error {
  override readonly name = 'VoucherApiError';

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** What programs compare: `not_found`, `rate_limited`, … */
    readonly code: Code,
    /** Names the request in the service's log; worth telling when asking for help. */
    readonly requestId: string | undefined,
    /** Seconds after which the request may be repeated, where the service says so. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a good answer. Throws `VoucherApiError` for any other. */
export const unwrap = <T>({ data, error, response }: Answered<T>): NonNullable<T> => {
  if (response.ok && data !== undefined && data !== null) return data;
  const { error: code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
  throw new VoucherApiError(
    typeof message === 'string' ? message : `the service answered with status ${String(response.status)}`,
    response.status,
    typeof code === 'string' ? code : 'unknown',
    response.headers.get('X-Request-Id') ?? undefined,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
};
