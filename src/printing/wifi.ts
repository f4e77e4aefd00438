/** What a camera joins an open wireless network by. Characters that mean something in it are escaped. */
export const toWifiJoinText = (ssid: string): string =>
  `WIFI:T:nopass;S:${ssid.replaceAll(/[\\;,:"]/g, '\\$&')};;`;
