import { describe } from '@jest/globals';
import { testUnauthorized } from '../../conformance/operations.js';

describe('POST /vouchers.php [key-required key-401-body]', () =>
  testUnauthorized((service, options) => service.post('/vouchers.php', { site_id: 1, name: 'x' }, options)));
