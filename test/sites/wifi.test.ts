import { describe, expect, test } from '@jest/globals';
import { settleWifi, toWifiJoinText, toWifiNetwork, toWifiPassword } from '../../src/sites/wifi.js';
import { testCases } from '../support/cases.js';
import { joinWifi } from '../support/joinWifi.js';

const special = 'a;b\\c"d:e,f';

describe('the text of a QR code', () => {
  testCases([
    ['an open network', 'open', false, null, 'WIFI:T:nopass;S:Gäste;;'],
    ['WPA2 or WPA3', 'wpa', false, 'sommer 2026', 'WIFI:T:WPA;S:Gäste;P:sommer 2026;;'],
    ['WPA3 only', 'sae', false, 'sommer 2026', 'WIFI:T:SAE;S:Gäste;P:sommer 2026;;'],
    ['a hidden network', 'wpa', true, 'sommer 2026', 'WIFI:T:WPA;S:Gäste;P:sommer 2026;H:true;;'],
  ] as const)(
    'names its kind, its password and that it is hidden',
    (_name, wifiKind, isWifiHidden, password, text) => {
      expect(toWifiJoinText({ ssid: 'Gäste', wifiKind, isWifiHidden }, password)).toBe(text);
    },
  );

  test('escapes what means something in it, so that a phone reads name and password as they are', () => {
    const text = toWifiJoinText({ ssid: special, wifiKind: 'wpa', isWifiHidden: true }, `${special};\\`);
    expect(text).toBe('WIFI:T:WPA;S:a\\;b\\\\c\\"d\\:e\\,f;P:a\\;b\\\\c\\"d\\:e\\,f\\;\\\\;H:true;;');
    expect(joinWifi(text)).toEqual({
      ...{ type: 'WPA', ssid: special, password: `${special};\\`, isHidden: true },
    });
  });
});

testCases([
  ['8 characters', 'x'.repeat(8)],
  ['63 characters', 'x'.repeat(63)],
  ['64 hexadecimal digits', 'aF09'.repeat(16)],
  ['blanks at its ends', '  x    x  '],
  ['all of printable ASCII', Array.from({ length: 63 }, (_, at) => String.fromCharCode(32 + at)).join('')],
])(
  'a password of 8 to 63 printable characters, or of 64 hexadecimal digits, is taken as it is',
  (_name, password) => {
    expect(toWifiPassword(password)).toBe(password);
  },
);

testCases([
  ['7 characters', 'geheim7'],
  ['64 characters that are not hexadecimal', 'x'.repeat(64)],
  ['64 KiB', 'x'.repeat(65_536)],
  ['an umlaut', 'geheimnisä'],
  ['an emoji', 'geheimnis🔑'],
  ['a line break', 'geheim\nnis'],
])('any other password is refused, and the error does not repeat it', (_name, password) => {
  const refusing = (): unknown => toWifiPassword(password);
  expect(refusing).toThrow(expect.objectContaining({ code: 'wifi-password-invalid', kind: 'invalid' }));
  expect(refusing).not.toThrow(password.slice(0, 64));
});

describe('a change', () => {
  const open = { ssid: 'Gäste', wifiKind: 'open', sealedWifiPassword: null } as const;
  const closed = { ssid: 'Gäste', wifiKind: 'wpa', sealedWifiPassword: 'v2:a' } as const;
  testCases([
    ['to a kind with a password, without one', open, { wifiKind: 'wpa' }, 'wifi-password-required'],
    ['that removes the password alone', closed, { sealedWifiPassword: null }, 'wifi-password-required'],
    ['that gives an open network a password', open, { sealedWifiPassword: 'v2:b' }, 'wifi-open'],
    [
      'to a network without a name',
      open,
      { ssid: null, wifiKind: 'wpa', sealedWifiPassword: 'v2:b' },
      'wifi-name-required',
    ],
    ['to an open network', closed, { wifiKind: 'open' }, { wifiKind: 'open', sealedWifiPassword: null }],
    ['that removes the network', closed, { ssid: null }, { wifiKind: 'open', sealedWifiPassword: null }],
    ['of the name', closed, { ssid: 'Halle' }, { wifiKind: 'wpa', sealedWifiPassword: 'v2:a' }],
    ['to WPA3 only', closed, { wifiKind: 'sae' }, { wifiKind: 'sae', sealedWifiPassword: 'v2:a' }],
  ] as const)('keeps name, kind and password consistent', (_name, stored, change, outcome) => {
    expect(settleWifi(stored, change)).toEqual(outcome);
  });
});

test('a network whose password is missing has a name, and nothing that would join it as an open one', () => {
  expect(toWifiNetwork({ ssid: 'Gäste', wifiKind: 'wpa', isWifiHidden: false }, null)).toEqual({
    ...{ ssid: 'Gäste', password: null, joinText: null },
  });
});
