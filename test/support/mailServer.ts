import { createServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail that the server took. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly raw: string;
}

export interface MailServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** What it answers to a recipient: null takes the mail. */
  answer(refusal: { readonly code: number; readonly text: string } | null): void;
  /** From now on it confirms no mail that it has, until the function that this returns is called. */
  holdConfirmations(): () => void;
  stop(): Promise<void>;
}

/** A mail server on this machine that speaks SMTP, without TLS. */
export const startMailServer = async (): Promise<MailServer> => {
  const mails: ReceivedMail[] = [];
  let held: (() => void)[] | undefined;
  let refusal: { code: number; text: string } | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, callback) => {
      if (refusal) callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
      else callback();
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        if (held) held.push(callback);
        else callback();
      });
    },
  });
  // A client that gives up is no failure of the server.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    mails,
    answer: (given) => {
      refusal = given;
    },
    holdConfirmations: () => {
      held = [];
      return () => {
        const callbacks = held ?? [];
        held = undefined;
        for (const callback of callbacks) callback();
      };
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** A server that accepts connections, and says nothing. */
export const startSilentServer = async (): Promise<{
  url: string;
  connections(): number;
  stop(): Promise<void>;
}> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    connections: () => sockets.size,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
