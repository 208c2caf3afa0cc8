import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes } from '@pennant/contract/all.ts'
import { declaredReplies } from '@pennant/contract/declared.ts'

// `reply-coverage.ts FOLDER`: after a complete test run, lists declared responses that no test received.

/**
 * Responses that tests cannot trigger on every route: a bug and an unavailable datastore. Tests in http/
 * cover each once.
 */
const UNASKED = new Set(['errorInternal', 'errorUnavailable'])

const folder = process.argv[2] ?? ''
const seen = new Set(
  readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
)
const declared = allRoutes.flatMap((route) =>
  declaredReplies(route)
    .filter(({ kind }) => !UNASKED.has(kind))
    .map(({ kind }) => `${route.method} ${route.path} ${kind}`),
)
const missing = declared.filter((line) => !seen.has(line))
console.log(`replies: ${declared.length - missing.length} of ${declared.length} declared ones were seen`)
for (const line of missing) console.log(`  never seen: ${line}`)
process.exitCode = missing.length === 0 ? 0 : 1
