/** An answer that is an error, as the API describes it. */
export class ApiError<Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** What programs compare: `not_found`, `rate_limited`, … `unknown` if the answer has none. */
  readonly code: Code | 'unknown';
  /** Names the request in the service's log; worth telling when asking for help. */
  readonly requestId: string | undefined;
  /** Seconds after which the request may be repeated, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(
    /** The body: parsed if it was JSON, otherwise its text. */
    readonly body: unknown,
    /** Status and headers; its body has been read. */
    readonly response: Response,
  ) {
    const fields = fieldsOf(body);
    super(
      firstText(fields, ['message', 'detail', 'error_description', 'title']) ??
        `the service answered with status ${String(response.status)}`,
    );
    this.status = response.status;
    this.code = (firstText(fields, ['error', 'code', 'type']) ?? 'unknown') as Code | 'unknown';
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
    this.retryAfter = readRetryAfter(response);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** `{error, message}`, problem details (RFC 9457), or either of them below `error`. */
const fieldsOf = (body: unknown): Fields => {
  if (!isFields(body)) return {};
  return isFields(body['error']) ? { ...body, ...body['error'] } : body;
};

const firstText = (fields: Fields, names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((value): value is string => typeof value === 'string');

/** The seconds that `Retry-After` asks for, as a number or as a date. */
export const readRetryAfter = ({ headers }: Response): number | undefined => {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
};
