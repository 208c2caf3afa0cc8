import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '@pennant/contract/route.ts'

const seen = new Set<string>()

/**
 * Records a response kind that a route returned; after a complete run the records are compared with the
 * contract.
 */
export function noteReply(route: Route, kind: string): void {
  const folder = process.env['PENNANT_REPLY_COVERAGE']
  if (!folder) return
  const line = `${route.method} ${route.path} ${kind}\n`
  if (seen.has(line)) return
  seen.add(line)
  appendFileSync(join(folder, `${process.pid}.txt`), line)
}
