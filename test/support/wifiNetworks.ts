import { toWifiNetwork, type WifiNetwork } from '../../src/sites/wifi.js';

/** An open network; undefined where there is none. */
export const openWifi = (ssid: string | null): WifiNetwork | undefined =>
  toWifiNetwork({ ssid, wifiKind: 'open', isWifiHidden: false }, null);

/** A network with a password. */
export const closedWifi = (ssid: string, password: string): WifiNetwork | undefined =>
  toWifiNetwork({ ssid, wifiKind: 'wpa', isWifiHidden: false }, password);
