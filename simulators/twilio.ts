import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** An SMS that the simulator has accepted. */
export interface AcceptedSms {
  readonly sid: string;
  readonly to: string;
  readonly from: string | null;
  readonly messagingServiceSid: string | null;
  readonly body: string;
}

/** What it does with the next request instead of what Twilio usually does. */
export type TwilioFault =
  | {
      readonly does: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Never answers: before it has accepted the SMS, or after. */
  | { readonly does: 'hang'; readonly accepts: boolean }
  /** Drops the connection instead of an answer. */
  | { readonly does: 'reset'; readonly accepts: boolean };

export interface TwilioSimulator {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly accepted: readonly AcceptedSms[];
  /** Requests that arrived, with their faults. */
  requests(): number;
  /** The next requests fare like this; then everything is well again. */
  fail(...faults: readonly TwilioFault[]): void;
  stop(): Promise<void>;
}

/** The error bodies that Twilio documents: code, message, where to read more, and the status again. */
const errorBody = (status: number, code: number, message: string): string =>
  JSON.stringify({
    code,
    message,
    more_info: `https://www.twilio.com/docs/errors/${String(code)}`,
    status,
  });

const paths = /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})\/Messages\.json$/;
const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * Twilio's resource for messages on 127.0.0.1, as its documentation describes it: HTTP Basic with account SID and auth token,
 * a form with To, Body and From or MessagingServiceSid, 201 with the message, and errors with a code.
 */
export const startTwilioSimulator = async (): Promise<TwilioSimulator> => {
  const accountSid = `AC${'0123456789abcdef'.repeat(2)}`;
  const authToken = randomBytes(16).toString('hex');
  const accepted: AcceptedSms[] = [];
  const sockets = new Set<Socket>();
  let faults: TwilioFault[] = [];
  let requests = 0;

  const accept = (form: URLSearchParams): AcceptedSms => {
    const sms = {
      sid: `SM${randomBytes(16).toString('hex')}`,
      to: form.get('To') ?? '',
      from: form.get('From'),
      messagingServiceSid: form.get('MessagingServiceSid'),
      body: form.get('Body') ?? '',
    };
    accepted.push(sms);
    return sms;
  };

  const answer = (req: IncomingMessage, form: URLSearchParams): readonly [status: number, body: string] => {
    const sid = paths.exec(req.url ?? '')?.[1];
    if (req.method !== 'POST' || sid === undefined)
      return [404, errorBody(404, 20_404, `The requested resource ${req.url ?? ''} was not found`)];
    const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
    if (req.headers.authorization !== credentials || sid !== accountSid)
      return [401, errorBody(401, 20_003, 'Authenticate')];
    const to = form.get('To') ?? '';
    if (!e164.test(to))
      return [400, errorBody(400, 21_211, `The 'To' number ${to} is not a valid phone number.`)];
    if (!form.get('From') && !form.get('MessagingServiceSid'))
      return [400, errorBody(400, 21_603, "A 'From' phone number is required.")];
    if (!form.get('Body')) return [400, errorBody(400, 21_602, 'Message body is required.')];
    const { sid: messageSid, from, messagingServiceSid, body } = accept(form);
    return [
      201,
      JSON.stringify({
        sid: messageSid,
        account_sid: accountSid,
        api_version: '2010-04-01',
        direction: 'outbound-api',
        to,
        from,
        messaging_service_sid: messagingServiceSid,
        body,
        num_segments: '1',
        status: messagingServiceSid === null ? 'queued' : 'accepted',
        error_code: null,
        error_message: null,
      }),
    ];
  };

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(req));
    requests += 1;
    const fault = faults.shift();
    if (fault && fault.does !== 'answer') {
      if (fault.accepts) accept(form);
      if (fault.does === 'reset') req.socket.resetAndDestroy();
      return;
    }
    const [status, body] = fault ? [fault.status, fault.body ?? ''] : answer(req, form);
    res.writeHead(status, { 'content-type': 'application/json', ...fault?.headers }).end(body);
  };
  const server = createServer((req, res) => {
    // The client may disconnect at any time.
    handle(req, res).catch(() => req.socket.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    accountSid,
    authToken,
    accepted,
    requests: () => requests,
    fail: (...next) => {
      faults = [...next];
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
