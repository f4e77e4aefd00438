import { Refusal } from './integrationErrors.js';
import { isObject } from './route.js';
import { atLeast, type Settings } from './settings.js';
import type { VoucherOrder } from './vouchers.js';

type Body = Readonly<Record<string, unknown>>;

/** What the Integration API is asked to create, within the bounds that it documents. */
export const readIntegrationOrder = (
  body: unknown,
  { version }: Settings,
): { readonly count: number; readonly order: VoucherOrder } => {
  if (!isObject(body)) throw new Refusal(400, 'api.request.error', 'The request body can not be read');
  const { name } = body;
  if (typeof name !== 'string') throw invalid('name', 'must be a string');
  if (name === '' && atLeast(version, '10.1.68')) throw invalid('name', 'must not be empty');
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

const invalid = (field: string, why: string): Refusal =>
  new Refusal(400, 'api.request.error', `'${field}' ${why}`);
