/**
 * The Trusted Types policy with which the site starts its workers; the server's CSP header allows it by this
 * name.
 */
export const WORKER_POLICY = 'pennant-worker'
