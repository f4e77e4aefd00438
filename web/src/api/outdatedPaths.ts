import type { paths } from '../../../generated/web.ts';
import type { Schemas } from './schemas.ts';

/** What is out of date when the service names a topic. */
const pathsOfTopic: Readonly<Record<Schemas['ChangeTopic'], readonly (keyof paths)[]>> = {
  vouchers: ['/vouchers', '/vouchers/{voucherId}', '/orders', '/orders/{orderId}', '/overview', '/system'],
  orders: ['/orders', '/orders/{orderId}', '/guest-requests', '/overview', '/system'],
  keys: ['/keys', '/overview', '/audit'],
  sites: ['/sites', '/texts/{siteId}', '/desk', '/controllers', '/overview', '/system', '/audit'],
  webhooks: ['/webhooks', '/webhooks/{webhookId}/deliveries', '/overview', '/system', '/audit'],
  profiles: ['/profiles', '/desk', '/sites', '/overview', '/audit'],
  limits: ['/order-limits', '/desk', '/audit'],
  printers: ['/printers', '/desk', '/audit'],
  people: [
    '/users',
    '/users/{userId}/sessions',
    '/sign-in-rules',
    '/session',
    '/account/sessions',
    '/overview',
    '/audit',
  ],
  settings: [
    '/overview',
    '/branding',
    '/mail-server',
    '/sms-provider',
    '/identity-provider',
    '/desk',
    '/system',
    '/audit',
  ],
};

const isKnown = (topic: string): topic is Schemas['ChangeTopic'] => Object.hasOwn(pathsOfTopic, topic);

/**
 * The paths of web.yaml whose answers are out of date after changes of these topics. Undefined when all may be: pages
 * that were loaded before an update of the service do not know its new topics.
 */
export const outdatedPaths = (topics: readonly string[]): ReadonlySet<string> | undefined =>
  topics.every(isKnown) ? new Set(topics.flatMap((topic) => pathsOfTopic[topic])) : undefined;
