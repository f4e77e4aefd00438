import { startMikrotikRouter } from '../../simulators/mikrotik/router.js';
import { siteNames, testKills } from './killTest.js';

// Without User Manager, vouchers are users of the hotspot.
testKills(async () => {
  const router = await startMikrotikRouter({ servers: [...siteNames], userManager: 'absent' });
  const { url, fingerprint, username, password, vouchers, stop } = router;
  /** The name of an order is at the end of the comment of its user. */
  const nameOf = (comment: string): string => decodeURIComponent(comment.split(' name=')[1] ?? '');
  const made = () => vouchers().map(({ code, name }) => ({ id: code, code, name: nameOf(name) }));
  return [
    { kind: 'mikrotik', settings: { url, fingerprint }, credentials: { username, password }, made, stop },
  ];
});
