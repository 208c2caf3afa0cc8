import { limitOf, limitsOf } from './limits.ts'
import type { Route } from './route.ts'

// The texts of the OpenAPI document that are derived from the declarations.

/** What the routes of a tag are for. A new first part of a path needs an entry. */
export const tagTexts: Readonly<Record<string, string>> = {
  admin: 'For organisers, by permission.',
  announcements: 'What organisers announced.',
  auth: 'Registration, sign-in, recovery.',
  challs: 'Challenges, solves, flags, pushed scores.',
  'device-sign-in': 'Sign-in of programs, which a person confirms.',
  diagnosis: 'What the server sees of a request.',
  'external-auth': 'Sign-in at other sites with a team of this contest.',
  health: 'For monitoring.',
  integrations: 'Configuration of clients, instances, the admin bot, the ranking site, analytics.',
  leaderboard: 'Standings and graphs.',
  openid: 'Sign-in at other sites with OpenID Connect.',
  openapi: 'This description.',
  messages: 'Threads of teams with organisers.',
  pages: 'Pages of the organisers, such as rules.',
  other: 'Everything else.',
  status: 'What works, and incidents.',
  stream: 'Live events.',
  users: 'Teams, their members and profiles.',
  waves: 'Challenges that open together.',
}

export function tagOf({ path }: Pick<Route, 'path'>): string {
  const tag = /^\/api\/(?:v\d+\/)?([\w-]+)/.exec(path)?.[1] ?? 'other'
  return tag in tagTexts ? tag : 'other'
}

const CALLERS: Readonly<Record<Route['auth'], string>> = {
  public: 'Needs no token.',
  optional: 'A token is optional.',
  required: 'Needs the token of a team, or of a person in one.',
  person: 'Needs the session of a person.',
  service: 'Needs the secret of a service.',
  signature: 'Needs a signature of the body.',
}

/** Who may call the route, when and how often. */
export function describeRoute(route: Route): string {
  const { auth, scope, perms = [], gate, notBanned, needsAcceptance, compatible, summary } = route
  const sentences = [summary, CALLERS[auth]]
  if (scope) sentences.push(`API tokens need the scope \`${scope}\`.`)
  if (scope === null) sentences.push('Not with an API token.')
  if (perms.length > 0) sentences.push(`Permissions: ${perms.map((name) => `\`${name}\``).join(', ')}.`)
  if (notBanned) sentences.push('Banned teams are refused.')
  if (needsAcceptance) sentences.push('Refused until the team has accepted the pages that it must accept.')
  if (gate) sentences.push(`Before the start only with \`${gate.started}\`.`)
  if (gate?.beforeEnd) sentences.push(`After the end only with \`${gate.beforeEnd}\`.`)
  for (const name of limitsOf(route)) {
    const { burst, windowMs, key } = limitOf(name)
    sentences.push(`At most ${burst} in ${windowMs / 1000} s for each ${key}.`)
  }
  if (!compatible) sentences.push('Other platforms of this family may lack it.')
  return sentences.join(' ')
}
