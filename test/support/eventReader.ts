/** One server-sent event. */
export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

export interface EventReader {
  /** The next event, or undefined when the stream has ended. */
  next(): Promise<ReceivedEvent | undefined>;
  close(): Promise<void>;
}

/** Reads the server-sent events of an answer. */
export const readEvents = ({ body }: Response): EventReader => {
  if (!body) throw new Error('the answer has no body');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next: EventReader['next'] = async () => {
    const end = text.indexOf('\n\n');
    if (end >= 0) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      // A comment keeps the connection open.
      return event === undefined ? next() : { event, data: JSON.parse(data ?? 'null') as unknown };
    }
    const { done, value } = await reader.read();
    if (done) return undefined;
    text += value;
    return next();
  };
  return { next, close: () => reader.cancel() };
};
