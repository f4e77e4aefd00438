/** The client of a request. */
export interface RequestClient {
  /** Its IP address, behind trusted proxies too. */
  readonly address: string;
  /**
   * Where it reached the service: `https://api.example.org`.
   * Throws `HttpProblem` when it names no valid host.
   */
  readonly origin: string;
  /** What paths of the service begin with there: empty, or `/wifi`. */
  readonly basePath: string;
  /**
   * Where others reach it, for links that are not followed at once: what the operator has set, or where this
   * client reached it. Without a slash at its end.
   */
  readonly publicUrl: string;
  /** Has the operator set it, so that it is the same for everybody? */
  readonly hasFixedUrl: boolean;
  /** What it says of itself. */
  readonly userAgent: string | null;
}

/** What is left of a caller's limit after a request was counted. */
export interface RateLimitStatus {
  readonly accepted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** The headers of a reply. One that may be sent several times has a list: `Set-Cookie`. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;
