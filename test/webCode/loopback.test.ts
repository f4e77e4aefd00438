import { expect, test } from '@jest/globals';
import { isLoopbackHost } from '../../web/src/pages/kiosks/loopback.js';

test('a tablet reaches every host but those of the computer itself', () => {
  const own = ['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', 'wifi.localhost', '[::1]'];
  const others = ['192.168.1.5', 'wifi.example.org', 'localhost.example.org', '[2001:db8::1]', '1.127.0.0.1'];
  expect([...own, ...others].filter(isLoopbackHost)).toEqual(own);
});
