import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';

export type TestStep = Schemas['ControllerTestStep'];
export type TestInput = Schemas['ControllerTest'];

/** The steps in the order in which they are tried. */
export const stepNames = [
  'settings',
  'name',
  'connection',
  'certificate',
  'sign-in',
  'version',
  'sites',
] as const satisfies readonly TestStep['step'][];

interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

const parseEvent = (block: string): ServerEvent => {
  const valuesOf = (field: string): string[] =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trimStart());
  return { name: valuesOf('event')[0] ?? 'message', data: valuesOf('data').join('\n') };
};

/** The events of an answer as they come. An EventSource can not do this: it only ever sends a GET. */
async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseEvent);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Tests a controller, and tells each step as it happens. */
const followTest = async (
  body: TestInput,
  onStep: (step: TestStep) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { data } = await client.POST('/controllers/test', { body, parseAs: 'stream', signal });
  if (data)
    for await (const event of readEvents(data)) {
      if (event.name === 'end') return;
      if (event.name === 'step') onStep(JSON.parse(event.data) as TestStep);
    }
  // The answer broke off.
  throw new ApiError(0, 'unavailable', 'unreachable', null, null);
};

export interface ControllerTestRun {
  readonly state: 'idle' | 'running' | 'passed' | 'failed';
  /** What is known of each step so far. */
  readonly steps: readonly TestStep[];
  /** Why the test itself could not be carried out. */
  readonly error: unknown;
}

const idle: ControllerTestRun = { state: 'idle', steps: [], error: undefined };

const withStep = ({ steps, ...run }: ControllerTestRun, next: TestStep): ControllerTestRun => ({
  ...run,
  steps: [...steps.filter(({ step }) => step !== next.step), next],
});

/** A test that can be started again and again. It is aborted when the component goes. */
export const useControllerTest = (): { run: ControllerTestRun; start(input: TestInput): void } => {
  const [run, setRun] = useState(idle);
  const abort = useRef<AbortController>(undefined);
  const start = useCallback((input: TestInput): void => {
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    const update = (change: (before: ControllerTestRun) => ControllerTestRun): void => {
      if (!own.signal.aborted) setRun(change);
    };
    setRun({ ...idle, state: 'running' });
    followTest(input, (step) => update((before) => withStep(before, step)), own.signal).then(
      () =>
        update((before) => ({
          ...before,
          state: before.steps.some(({ state }) => state === 'failed') ? 'failed' : 'passed',
        })),
      (error: unknown) => update((before) => ({ ...before, state: 'failed', error })),
    );
  }, []);
  useEffect(() => () => abort.current?.abort(), []);
  return { run, start };
};
