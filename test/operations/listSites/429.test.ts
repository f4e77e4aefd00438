import { testRateLimited } from '../../conformance/operations.js';

testRateLimited((service, options) => service.get('/sites.php', options));
