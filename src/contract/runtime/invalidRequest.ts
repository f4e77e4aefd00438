import { HttpProblem } from '../../errors/httpProblem.js';
import type { MultipartFault } from '../bodies/multipart.js';
import type { MessageKey } from '../standardMessages.js';

/** A request that is malformed before any field of it is looked at. The contract words the reason. */
export class InvalidRequest extends HttpProblem<'invalid_request'> {
  override readonly name = 'InvalidRequest';

  constructor(
    readonly reason: Extract<MessageKey, 'request' | 'host' | 'expect'> | MultipartFault,
    values: Readonly<Record<string, string>> = {},
  ) {
    super('invalid_request', values);
  }
}

/** A body of a media type that the operation does not take. The contract words it. */
export class OtherMediaType extends HttpProblem<'unsupported_media_type'> {
  override readonly name = 'OtherMediaType';
  readonly reason: MessageKey = 'content_type';

  /** `media` are those that it takes. */
  constructor(media: string) {
    super('unsupported_media_type', { media });
  }
}
