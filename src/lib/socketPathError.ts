import { CodedError } from '../errors/codedError.js';

/** There is something at the path of a Unix socket that may not be replaced. */
export class SocketPathError extends CodedError<'in-use' | 'not-a-socket'> {
  override readonly name = 'SocketPathError';

  constructor(code: 'in-use' | 'not-a-socket') {
    super(code, code === 'in-use' ? 'another program answers there' : 'there is a file that is no socket', {
      kind: 'invalid',
    });
  }
}
