import { eventStreamHeaders, makeEventStream } from '../../../src/lib/eventStream.js';
import type { WebHandler } from '../handler.js';
import { toTestStepReply } from '../replies.js';

export const testController: WebHandler<'testController'> = async (
  { input: { body }, reply },
  { controllerTests },
) => {
  const stream = makeEventStream();
  const gone = new AbortController();
  stream.body.once('close', () => gone.abort());
  const { done } = await controllerTests
    .begin(body, gone.signal, (step) => stream.send('step', toTestStepReply(step)))
    .catch((error: unknown) => {
      stream.body.destroy();
      throw error;
    });
  const end = (): void => {
    stream.send('end', {});
    stream.end();
  };
  void done.then(end, end);
  return reply(200, stream.body, eventStreamHeaders);
};
