import { describe } from '@jest/globals';
import { testUnauthorized } from '../../conformance/operations.js';

describe('GET /sites.php [key-required key-401-body]', () =>
  testUnauthorized((service, options) => service.get('/sites.php', options)));
