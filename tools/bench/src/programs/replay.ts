import { createServer } from 'node:http';
import { answerParent, listen } from './parentChannel.js';

// The limit of what can be read: node:http that sends one fixed answer to whatever is asked.

/** An answer to send again and again: the headers in turns of name and value. */
export interface ReplayedAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

answerParent(async ({ status, headers, body }: ReplayedAnswer) => {
  const bytes = Buffer.from(body);
  const flat = [...headers];
  const server = createServer((_req, res) => {
    res.writeHead(status, flat);
    res.end(bytes);
  });
  // As long as voucherd keeps a connection, so that both send the same `Keep-Alive`.
  server.keepAliveTimeout = 75_000;
  return { ready: await listen(server) };
});
