import { testUnauthorized } from '../../conformance/operations.js';

testUnauthorized((service, options) => service.post('/vouchers.php', { site_id: 1, name: 'x' }, options));
