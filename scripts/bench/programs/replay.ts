// The limit of what can be read: node:http that sends one fixed answer to whatever is asked.
import { createServer } from 'node:http';
import { answering } from './answering.js';
import { listen } from './listen.js';

/** An answer to send again and again: the headers in turns of name and value. */
export interface Recorded {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

answering(async ({ status, headers, body }: Recorded) => {
  const bytes = Buffer.from(body);
  const flat = [...headers];
  const server = createServer((_req, res) => {
    res.writeHead(status, flat);
    res.end(bytes);
  });
  return { ready: await listen(server) };
});
