import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import serverPackage from '../../package.json' with { type: 'json' }

/** Of which release this program is. */
export interface Release {
  readonly version: string
  /** Null if it was built by hand. */
  readonly commit: string | null
}

let release: Release | undefined

/** From a file that `npm run release` adds, so that the programs of two commits with equal sources are equal. */
export function readRelease(): Release {
  return (release ??= releaseFile() ?? { version: serverPackage.version, commit: null })
}

/** Such as `pennant 1.0.0 (commit 5c23f7a, Node v24.1.0)`. */
export function versionLine(): string {
  const { version, commit } = readRelease()
  const origin = commit === null ? 'built from a checkout' : `commit ${commit.slice(0, 7)}`
  return `pennant ${version} (${origin}, Node ${process.version})`
}

/** Beside the bundle or its chunks. */
function releaseFile(): Release | null {
  const paths = ['./release.json', '../release.json'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const found = paths.find((path) => existsSync(path))
  return found === undefined ? null : (JSON.parse(readFileSync(found, 'utf8')) as Release)
}
