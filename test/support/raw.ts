import { connect } from 'node:net';

/** Sends text over a socket as it is, and returns all that comes back until the service closes the connection. */
export const sendRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString());
    });
  });

/** The body of an answer that `sendRaw` returned. */
export const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);
