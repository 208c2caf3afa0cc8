import { z } from 'zod'

/** Address of a service of one's own, without a slash at its end. Credentials have options of their own. */
export const ServiceAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
  .refine((url) => !hasLogin(url), { error: 'must not contain a user name or password' })
  .transform((url) => url.replace(/\/+$/, ''))

function hasLogin(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}
