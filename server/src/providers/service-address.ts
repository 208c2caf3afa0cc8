import { HttpUrl } from '../lib/service-url.ts'

/** URL of a self-hosted service, without a trailing slash. Credentials have options of their own. */
export const ServiceAddress = HttpUrl.refine((url) => !hasLogin(url), {
  error: 'must not contain a user name or password',
}).transform((url) => url.replace(/\/+$/, ''))

function hasLogin(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}
