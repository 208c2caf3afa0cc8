import { bodyCapOf } from '@pennant/contract/body-caps.ts'
import type { BodyCap, Route } from '@pennant/contract/route.ts'

/** The most bytes of each kind of body. */
export type BodyCaps = Readonly<Record<BodyCap, number>>

/** Their size is that of files. */
const OF_FILES: ReadonlySet<BodyCap> = new Set(['upload', 'jsonUpload', 'avatar'])

const known = new WeakMap<Route, number>()

/** The largest body in bytes that a route reads: what its schema needs, and never more than its kind of body may have. */
export function bodyCapIn(caps: BodyCaps, route: Route): number {
  const { body, bodyCap = 'json' } = route
  if (!body || OF_FILES.has(bodyCap)) return caps[bodyCap]
  const needed = known.get(route) ?? bodyCapOf(route)
  known.set(route, needed)
  return Math.min(needed, caps[bodyCap])
}
