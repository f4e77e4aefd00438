import { startOmadaController } from '../../simulators/omada/controller.js';
import { siteNames, testKills } from './killTest.js';

testKills(async () => {
  const omada = await startOmadaController({ sites: siteNames.map((id) => ({ id, name: id })) });
  const { url, fingerprint, clientId, clientSecret, vouchers, stop } = omada;
  const credentials = { clientId, clientSecret };
  /** The whole name of an order is in the description of its group. */
  const made = () => vouchers().map(({ id, code, description }) => ({ id, code, name: description }));
  return [{ kind: 'omada', settings: { url, fingerprint }, credentials, made, stop }];
});
