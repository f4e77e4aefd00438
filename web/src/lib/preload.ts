/** When the page has long been there: what may be needed soon is loaded, also for the time when the network is lost. */
export const preloadMs = 5000;
