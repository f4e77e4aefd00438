import { startUnifiConsole } from '../../simulators/unifi/console.js';
import { siteNames, testKills } from './killTest.js';

testKills(async () => {
  const sites = siteNames.map((reference) => ({ reference, name: reference }));
  const { apiKey, url, fingerprint, vouchers, stop } = await startUnifiConsole({ sites });
  const made = () => vouchers().map(({ id, code, name }) => ({ id, code, name }));
  return [{ kind: 'unifi', settings: { url, fingerprint }, credentials: { apiKey }, made, stop }];
});
