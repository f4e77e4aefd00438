/** There is something at the path of a Unix socket that may not be replaced. */
export class SocketPathError extends Error {
  override readonly name = 'SocketPathError';

  constructor(readonly reason: 'in use' | 'not a socket') {
    super(reason === 'in use' ? 'another program answers there' : 'there is a file that is no socket');
  }
}
