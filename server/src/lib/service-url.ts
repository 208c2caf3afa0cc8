import { z } from 'zod'

const ENCODE =
  'has characters in its user or password that must be percent-encoded: % as %25, @ as %40, : as %3A, / as %2F, # as %23, ? as %3F'

/** Why a URL with credentials cannot work, or null. Never repeats a part of the URL. */
export function credentialsProblem(text: string): string | null {
  const [, scheme = '', authority = '', rest = ''] =
    /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? []
  // A database behind a socket has a user, but no host.
  const withHost = authority.endsWith('@') ? text.replace(authority, () => `${authority}host`) : text
  if (!URL.canParse(withHost)) return text.includes('@') ? ENCODE : null
  // The password ended the host early: `redis://:12/3@host`. Paths of web addresses may have an @.
  const [path = ''] = rest.split('?')
  const isWeb = /^https?$/i.test(scheme)
  if (!authority.includes('@') && path.includes('@') && !isWeb) return ENCODE
  // `p@ss@host` is read in two ways by the libraries that connect.
  if (authority.split('@').length > 2) return ENCODE
  return isEncoded(authority.slice(0, authority.lastIndexOf('@') + 1)) ? null : ENCODE
}

function isEncoded(credentials: string): boolean {
  try {
    decodeURIComponent(credentials)
    return true
  } catch {
    return false
  }
}

/** A URL that may have credentials, such as that of a database. `starts` describes the scheme. */
export function credentialUrl(scheme: RegExp, starts: string) {
  return z.string().superRefine((text, context) => {
    const problem = scheme.test(text) ? credentialsProblem(text) : `must start with ${starts}`
    if (problem !== null) context.addIssue(problem)
  })
}

/** A URL that is used unchanged. */
export const HttpUrl = z.string().superRefine((text, context) => {
  const problem = credentialsProblem(text)
  if (problem !== null) context.addIssue(problem)
  else if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text))
    context.addIssue('must be a URL that starts with http:// or https://')
})

/** The base URL of an external service, without a trailing slash. */
export const ServiceUrl = HttpUrl.transform((url) => url.replace(/\/+$/, ''))

/** What players type: scheme, host and port. */
export const OriginUrl = HttpUrl.transform((text, context) => {
  const { origin, pathname, search, hash, username, password } = new URL(text)
  if (username || password) context.addIssue(`must have no user or password: write ${origin}`)
  else if (pathname !== '/' || search || hash)
    context.addIssue(`must have no path: write ${origin}. The site cannot be served below a path`)
  return origin
})
