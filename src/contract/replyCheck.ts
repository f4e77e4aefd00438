import type { OpenAPIBackend } from 'openapi-backend';
import { isKept, type Kept } from '../kept.js';
import type { AnyReply } from './call.js';
import type { Operation } from './contract.js';

/** Called with a reply that the contract does not document. May throw to refuse it, unless it is an error already. */
export type OnViolation = (operationId: string, what: string, mayThrow?: boolean) => void;

/** Compares replies with the contract; bytes that are sent many times only once. */
export const makeReplyCheck = ({ validator }: OpenAPIBackend, onViolation: OnViolation) => {
  const checked = new WeakSet<Kept<unknown>>();
  return ({ id, statuses }: Operation, { status, body }: AnyReply): void => {
    if (isKept(body) && checked.has(body)) return;
    if (!statuses.has(status)) onViolation(id, `status ${String(status)} is not documented`);
    const isValid = validator.getStatusBasedResponseValidatorForOperation(id)[status];
    // openapi-backend knows an absent body as null.
    if (isValid && !isValid(isKept(body) ? JSON.parse(body.bytes.toString()) : (body ?? null))) {
      const places = (isValid.errors ?? []).map(
        ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
      );
      onViolation(id, places.join(', '));
    }
    if (isKept(body)) checked.add(body);
  };
};
