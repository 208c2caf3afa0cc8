import { z } from 'zod'
import { UnixMs } from './fields.ts'
import type { Route } from './route.ts'

// The public demo: everyone may sign in as a player and as an organiser who changes nothing
// (docs/operate/public-demo.md).

/** What a client shows and offers. Tokens of teams, which the demo gives to everyone. */
export const PublicDemo = z.object({
  resetAt: UnixMs.describe('When everything starts over and every sign-in ends, in Unix milliseconds.'),
  organiserToken: z.string().describe('Team token of the organiser.'),
  playerTokens: z
    .array(z.string())
    .describe('Team tokens of the teams that visitors play. Pick one at random.'),
})

/**
 * Whether the public demo serves the route. Derived from the route's data, so that a new one is refused unless it only reads:
 * no writes, no services, no exports. `publicDemo` marks the exceptions.
 */
export function isInPublicDemo({ method, auth, perms = [], file, publicDemo }: Route): boolean {
  if (publicDemo !== undefined) return publicDemo
  if (method !== 'GET' || auth === 'service' || auth === 'signature') return false
  return perms.length === 0 || file === undefined
}
