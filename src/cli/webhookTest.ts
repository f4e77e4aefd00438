import { newId, systemEffects } from '../effects.js';
import type { Event, TargetAnswer, Verdict } from '../notifications/format.js';
import { formats } from '../notifications/formats/index.js';
import { makeGuard } from '../notifications/guard.js';
import { conceal } from '../notifications/masking.js';
import { makePost } from '../notifications/post.js';
import { openWebhook, usableSecrets, type Webhook } from '../notifications/webhooks.js';
import { publicText } from '../problem.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { CommandError, plain, type Io } from './io.js';
import { webhookNamed } from './webhookNamed.js';
import { withStorage } from './withStorage.js';

/** How much of an answer is shown. */
const shownCharacters = 200;

export const testWebhook = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ config, storage }) => {
    const webhook = openWebhook(await webhookNamed(storage, given), openStoredSecrets(config));
    const { post, close } = makePost({ guard: makeGuard(config.webhookAllowPrivate) });
    try {
      report(io, webhook, await send(webhook, post), json);
    } finally {
      await close();
    }
  });

interface Result {
  /** None when there was no connection, or no answer in time. */
  readonly answer?: TargetAnswer;
  readonly verdict: Pick<Verdict, 'outcome'> & { readonly reason?: string };
}

const send = async (webhook: Webhook, post: ReturnType<typeof makePost>['post']): Promise<Result> => {
  const format = formats[webhook.format];
  const now = systemEffects.now();
  const event: Event = {
    id: newId(systemEffects),
    count: 1,
    site: 'Test',
    source: 'voucherd webhook test',
    createdAt: now,
    test: true,
  };
  const { language } = webhook;
  const message = format.compose(event, { language, secrets: usableSecrets(webhook, now), now });
  try {
    const answer = await post(webhook.address, message);
    return { answer, verdict: format.judge(answer) };
  } catch (error) {
    return { verdict: { outcome: 'failed', reason: publicText(error) } };
  }
};

const report = (io: Io, webhook: Webhook, { answer, verdict }: Result, json: boolean | undefined): void => {
  const shown = (text: string): string => plain(conceal(text, webhook));
  const { name } = webhook;
  const delivered = verdict.outcome === 'delivered';
  const reason = verdict.reason === undefined ? undefined : shown(verdict.reason);
  const status = answer?.status;
  const body = answer && shown(answer.body).slice(0, shownCharacters);
  if (json) io.out(`${JSON.stringify({ name, delivered, status, answer: body, reason })}\n`);
  else if (answer) {
    io.out(`status   ${String(status)}\nanswer   ${body || '(empty)'}\nverdict  ${verdictText(verdict)}\n`);
  }
  if (!delivered) throw new CommandError(`${name}: not delivered: ${reason ?? 'no reason given'}`);
};

const verdictText = ({ outcome }: Result['verdict']): string =>
  ({ delivered: 'delivered', failed: 'failed for good', retry: 'failed, worth another try' })[outcome];
