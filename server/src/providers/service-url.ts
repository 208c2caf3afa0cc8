import { z } from 'zod'

/** A URL that is used unchanged. */
export const HttpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL that starts with http:// or https://',
})

/** The base URL of an external service, without a trailing slash. */
export const ServiceUrl = HttpUrl.transform((url) => url.replace(/\/+$/, ''))
