/** The Trusted Types policy under which the site starts its workers: the server's header allows it by this name. */
export const workerPolicy = 'pennant-worker'
