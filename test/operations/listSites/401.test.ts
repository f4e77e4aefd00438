import { testUnauthorized } from '../../conformance/operations.js';

testUnauthorized((service, options) => service.get('/sites.php', options));
