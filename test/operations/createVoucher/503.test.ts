import { testUnavailable } from '../../conformance/operations.js';

testUnavailable((service, options) => service.post('/vouchers.php', { site_id: 1, name: 'x' }, options));
