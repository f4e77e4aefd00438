import { testUnavailable } from '../../conformance/operations.js';

testUnavailable((service, options) => service.get('/sites.php', options));
