import { describe } from '@jest/globals';
import { testUnauthorized } from '../../conformance/operations.js';

describe('GET /vouchers.php [key-required key-401-body]', () =>
  testUnauthorized((service, options) => service.get('/vouchers.php?site_id=1', options)));
