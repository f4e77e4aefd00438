/**
 * Why a connection was dropped: there were too many of them, or too many requests waiting on them;
 * its client fell silent, did not complete a request whose answer had begun,
 * or closed it before its requests could begin.
 */
export type DropReason = 'connections' | 'pipelining' | 'silent' | 'incomplete' | 'closed';

/** What is counted of requests and connections. */
export interface HttpMetrics {
  request(operationId: string, status: number, seconds: number): void;
  limiterRefusal(): void;
  /**
   * A request was refused with 503: as many as may be are in flight (`in_flight`),
   * or what all of them need is not there.
   */
  overloadRefusal(reason: string): void;
  droppedConnection(reason: DropReason): void;
}
