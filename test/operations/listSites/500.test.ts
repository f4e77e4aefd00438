import { testServerError } from '../../conformance/operations.js';

testServerError((service, options) => service.get('/sites.php', options));
