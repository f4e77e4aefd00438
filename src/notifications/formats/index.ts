import type { Format, FormatName } from '../format.js';
import { discord } from './discord.js';
import { generic } from './generic.js';
import { googleChat } from './googleChat.js';
import { mattermost } from './mattermost.js';
import { slack } from './slack.js';
import { teams } from './teams.js';

/** Every kind of target. */
export const formats: Readonly<Record<FormatName, Format>> = {
  generic,
  slack,
  mattermost,
  discord,
  teams,
  'google-chat': googleChat,
};
