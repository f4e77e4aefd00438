import { HttpProblem } from '../../errors/httpProblem.js';
import type { MessageKey } from '../standardMessages.js';

/** A request that is malformed before any field of it is looked at. The contract words the reason. */
export class InvalidRequest extends HttpProblem<'invalid_request'> {
  override readonly name = 'InvalidRequest';

  constructor(
    readonly reason: Extract<MessageKey, 'request' | 'content_type' | 'host' | 'expect'>,
    values: Readonly<Record<string, string>> = {},
  ) {
    super('invalid_request', values);
  }
}
