import { z } from 'zod'

/** An address that is used as it is. */
export const HttpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an address that starts with http:// or https://',
})

/** The address of an outside service, to which paths are added: without a slash at its end. */
export const ServiceUrl = HttpUrl.transform((url) => url.replace(/\/+$/, ''))
