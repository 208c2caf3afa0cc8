import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { npmCommand } from '../../install.mjs'
import type { Architecture } from './architectures.ts'
import { readTar, type Tree } from './tree.ts'

/** An entry of a lock file. */
interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

export interface NpmPackage {
  readonly name: string
  readonly version: string
  /** As in a lock file: `sha512-…`. */
  readonly integrity: string
}

/** The packages and what they need on the architecture, as locked. Throws for a name that is not in the lock file. */
export async function lockedPackages(
  root: string,
  names: readonly string[],
  { cpu }: Architecture,
): Promise<NpmPackage[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const found = new Map<string, NpmPackage>()
  const left = [...names]
  // Terminates: each name is visited once.
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (found.has(name)) continue
    const locked = packages[`node_modules/${name}`]
    if (!locked) throw new Error(`package-lock.json has no ${name}`)
    if (!isFor(cpu, locked)) continue
    const { version, integrity = '', dependencies, optionalDependencies } = locked
    found.set(name, { name, version, integrity })
    left.push(...Object.keys({ ...dependencies, ...optionalDependencies }))
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function isFor(wanted: string, { os = ['linux'], cpu = [wanted], libc = ['glibc'] }: LockedPackage): boolean {
  return os.includes('linux') && cpu.includes(wanted) && libc.includes('glibc')
}

/**
 * Downloads packages, for whatever architecture, and returns their files below `node_modules/`. No script of a package runs.
 * Throws if one is not what is locked.
 */
export async function fetchPackages(packages: readonly NpmPackage[]): Promise<Tree> {
  const folder = await mkdtemp(join(tmpdir(), 'pennant-npm-'))
  try {
    pack(
      packages.map(({ name, version }) => `${name}@${version}`),
      folder,
    )
    const tree: Tree = new Map()
    for (const { name, version, integrity } of packages) {
      const file = join(folder, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`)
      await check(file, `${name}@${version}`, integrity)
      // The first folder in the archive may have any name.
      const pathOf = (path: string) => `node_modules/${name}/${path.replace(/^[^/]+\//, '')}`
      const found = await readTar(createReadStream(file).pipe(createGunzip()), pathOf)
      for (const [path, entry] of found) tree.set(path, entry)
    }
    return tree
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function pack(specs: readonly string[], folder: string): void {
  const { file, args, shell } = npmCommand()
  const options = ['pack', '--silent', '--prefer-offline', '--ignore-scripts', ...specs]
  const done = spawnSync(file, [...args, ...options], { cwd: folder, encoding: 'utf8', shell })
  if (done.status !== 0) throw new Error(`npm could not download ${specs.join(' ')}: ${done.stderr}`)
}

async function check(path: string, what: string, integrity: string): Promise<void> {
  const [algorithm = '', expected = ''] = integrity.split(/-(.*)/)
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  const actual = hash.digest('base64')
  if (actual !== expected) throw new Error(`${what} has ${algorithm}-${actual} instead of ${integrity}`)
}
