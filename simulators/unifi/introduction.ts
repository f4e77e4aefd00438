import { quoted } from '../../src/cli/shellWord.js';
import type { ConsoleOptions, UnifiConsole } from './console.js';
import { settingsFrom } from './settings.js';

/** What the console is, and the commands that add it to voucherd. */
export const introduction = (running: UnifiConsole, options: ConsoleOptions): string => {
  const { url, fingerprint, apiKey, username, password } = running;
  const { variant, version, sites } = settingsFrom(options);
  const trust = `--url ${url} --fingerprint ${fingerprint}`;
  const addSites = (controller: string): string =>
    sites
      .map(
        ({ reference, name }) =>
          `  npx voucherd site add --name ${quoted(name)} --controller ${controller} --controller-site ${reference}\n`,
      )
      .join('');
  return `Simulated UniFi console (${variant === 'unifi-os' ? 'UniFi OS' : 'self-hosted'}, Network ${version})

  address      ${url}
  fingerprint  ${fingerprint}
  API key      ${apiKey}
  user         ${username}
  password     ${password}
  cloud        ${running.cloudUrl}
  cloud key    ${running.cloudApiKey}

Its vouchers, and faults to choose from: ${url}/simulator

Add it with the API key:

  KEY=${apiKey} npx voucherd controller add --name Konsole --kind unifi ${trust} --api-key-env KEY
${addSites('Konsole')}
or, instead, with user and password (one console is one controller):

  PASSWORD=${password} npx voucherd controller add --name Klassisch --kind unifi-classic ${trust} --username ${username} --password-env PASSWORD
${addSites('Klassisch')}
A guest uses a voucher:

  npm run simulator -- use CODE --url ${url}

Ctrl-C ends it. Its vouchers, keys and certificate end with it.
`;
};
