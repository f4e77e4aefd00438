import {
  behaviours,
  respondDiscordThrottled,
  respondRedirect,
  respondThrottled,
  respondWith,
  type Behaviour,
} from '../../../simulators/webhookTarget.js';
import type { FormatName } from '../../../src/webhooks/formats/format.js';

/** What a target does while notifications are sent to it. */
export interface DeliveryScenario {
  readonly title: string;
  /** What it does with the first requests. */
  readonly script: readonly Behaviour[];
  /** What it does with all that follow. */
  readonly otherwise: Behaviour;
  /** How many notifications wait for it. */
  readonly notifications: 1 | 2;
}

const usualSuccess: Record<FormatName, Behaviour> = {
  generic: behaviours.noContent,
  slack: behaviours.ok,
  mattermost: behaviours.ok,
  discord: behaviours.noContent,
  teams: behaviours.accepted,
  'google-chat': behaviours.googleMessage,
  'php-tool': behaviours.noContent,
};

/** Only for the platform that sends these texts. */
const platformAnswers: Record<FormatName, readonly (readonly [title: string, answer: Behaviour])[]> = {
  generic: [],
  slack: [['404 no_service', respondWith(404, 'no_service')]],
  mattermost: [['500 with JSON', respondWith(500, { id: 'api.error', message: 'text', status_code: 500 })]],
  discord: [['200 with the message', behaviours.discordMessage]],
  teams: [['429 inside a 200', behaviours.teamsThrottled]],
  'google-chat': [['200 with the message', behaviours.googleMessage]],
  'php-tool': [],
};

/** Two notifications to a target that starts with something else than success. */
const first = (title: string, format: FormatName, ...script: Behaviour[]): DeliveryScenario => ({
  title,
  script,
  otherwise: usualSuccess[format],
  notifications: 2,
});

const always = (title: string, otherwise: Behaviour): DeliveryScenario => ({
  title,
  script: [],
  otherwise,
  notifications: 1,
});

const permanent = [400, 401, 403, 404, 410];

/** All known behaviours of targets. */
export const deliveryScenarios = (format: FormatName): DeliveryScenario[] => [
  first('200 ok', format, behaviours.ok, behaviours.ok),
  first('202 without a body', format, behaviours.accepted, behaviours.accepted),
  first('204', format, behaviours.noContent, behaviours.noContent),
  ...platformAnswers[format].map(([title, behaviour]) => first(title, format, behaviour)),
  first('429, Retry-After: 30', format, respondThrottled(30)),
  first('429', format, respondThrottled()),
  first('429, retry_after: 64.57', format, respondDiscordThrottled(64.57)),
  first('500', format, respondWith(500, 'rollup_error')),
  first('502, Retry-After: 600', format, respondWith(502, '', { 'retry-after': '600' })),
  first('hangs twice', format, behaviours.hang, behaviours.hang),
  first('reset before the body', format, behaviours.resetBeforeBody),
  first('reset after the body', format, behaviours.resetAfterBody),
  first('body that breaks off', format, behaviours.brokenOff),
  first('redirect', format, respondRedirect('/elsewhere')),
  ...permanent.map((status) => first(String(status), format, respondWith(status, ''))),
  always('503 for ever', behaviours.unavailable),
];
