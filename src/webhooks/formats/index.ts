import { discord } from './discord.js';
import type { FormatName, WebhookFormat } from './format.js';
import { generic } from './generic.js';
import { googleChat } from './googleChat.js';
import { mattermost } from './mattermost.js';
import { phpTool } from './phpTool.js';
import { slack } from './slack.js';
import { teams } from './teams.js';

/** All formats by name. */
export const webhookFormats: Readonly<Record<FormatName, WebhookFormat>> = {
  generic,
  slack,
  mattermost,
  discord,
  teams,
  'google-chat': googleChat,
  'php-tool': phpTool,
};
