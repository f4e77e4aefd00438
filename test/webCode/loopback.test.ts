import { expect, test } from '@jest/globals';
import { isLoopbackHost } from '../../web/src/pages/kiosks/loopback.js';

test.each(['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', 'wifi.localhost', '[::1]'])(
  'a tablet does not reach %s',
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

test.each(['192.168.1.5', 'wifi.example.org', 'localhost.example.org', '[2001:db8::1]', '1.127.0.0.1'])(
  'a tablet may reach %s',
  (host) => expect(isLoopbackHost(host)).toBe(false),
);
