import { jsonFields } from '../json.js';
import { isSafe, type HttpAnswer, type HttpRequest } from '../request.js';

/** How much the run may do to a service, and what it has done. */
export interface Budget {
  readonly maxRequests: number;
  readonly maxVouchers: number;
  /** What the names of the run's vouchers begin with; undefined where nobody else sees them. */
  readonly mark: string | undefined;
  /** How many requests were sent. */
  sent(): number;
  /** The codes of the vouchers that were made. */
  made(): readonly string[];
}

/** For a service that ends with the run. */
export const noBudget: Budget = {
  maxRequests: Infinity,
  maxVouchers: Infinity,
  mark: undefined,
  sent: () => 0,
  made: () => [],
};

/** A request was not sent, because the run may send no more of its kind. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** Sends no more than the budget allows. */
export const makeBudget = (
  { maxRequests, maxVouchers, mark }: Omit<Budget, 'made' | 'sent'>,
  send: Send,
): { readonly budget: Budget; readonly send: Send } => {
  const made: string[] = [];
  let sent = 0;
  let pending = 0;
  return {
    budget: { maxRequests, maxVouchers, mark, sent: () => sent, made: () => made },
    send: async (request) => {
      if (sent >= maxRequests) throw new BudgetSpent(`--max-requests ${maxRequests} is used up`);
      sent += 1;
      if (isSafe(request.method)) return send(request);
      // Until the answer is there nobody knows whether it makes one.
      if (made.length + pending >= maxVouchers) {
        sent -= 1;
        throw new BudgetSpent(`--max-vouchers ${maxVouchers} is used up`);
      }
      pending += 1;
      try {
        const answer = await send(request);
        const isMade = answer.status >= 200 && answer.status < 300 && !answer.headers['idempotency-replayed'];
        const { code } = jsonFields(answer.body);
        if (isMade) made.push(typeof code === 'string' ? code : 'one without a code');
        return answer;
      } finally {
        pending -= 1;
      }
    },
  };
};
