import { posix } from 'node:path'
import type { ArchiveEntry } from '../archive.ts'
import { packageEntries } from '../package.ts'
import type { ReleaseContext } from '../part.ts'
import type { Architecture } from './architectures.ts'
import type { DebianPackage } from './debian.ts'
import { stripSections } from './elf.ts'
import { addLibraries } from './libraries.ts'
import { fetchPackages, lockedPackages, type NpmPackage } from './npm.ts'
import type { ContainerConfig, Layer } from './oci.ts'
import { entriesOfTree, file, followLinks, withFolders, type Tree } from './tree.ts'

/** What one of the images consists of. */
export interface ImageSpec {
  readonly name: 'pennant' | 'pennant-bot'
  readonly title: string
  /** Debian's packages. Besides the wanted files, the image has the libraries that its programs load. */
  readonly packages: readonly string[]
  readonly isWanted: RegExp
  /** Packages that those depend on, and that the image does not need. */
  readonly absent: readonly string[]
  /** Packages of npm that the programs import. */
  readonly imports: (root: string) => readonly string[]
  /** Changes what Debian and npm contain as their scripts would. */
  readonly prepare: (system: Tree, modules: Tree) => void
  /** Files of the release's package. */
  readonly isProgram: RegExp
  readonly nodeMode: number
  readonly config: ContainerConfig
  /** Largest unpacked size, for each architecture. */
  readonly budgetBytes: number
}

/** Parts of an image for one architecture. */
export interface Assembled {
  readonly layers: readonly Layer[]
  /** Debian's packages of which the image has files. */
  readonly packages: readonly DebianPackage[]
  readonly modules: readonly NpmPackage[]
  readonly node: NpmPackage
}

const HOME = 'pennant'
/** What only compiling and debugging need, and PostgreSQL's procedural languages, whose interpreters no image has. */
const NOT_LOADED =
  /\.a$|\/pkgconfig\/|\.d\.[cm]?ts$|\.map$|\/lib\/postgresql\/(?:pgxs\/|\w*pl(?:perl|python3|tcl)\.so$)/
const BUNDLE = 'etc/ssl/certs/ca-certificates.crt'
/** Those that someone who looks into a container expects; the rest would only serve an attacker. */
const APPLETS =
  '[ awk base64 basename cat chmod cp cut date dd df dirname du echo env expr false find free grep gunzip gzip head hostname id kill ln ls mkdir mktemp more mv netstat nslookup od pgrep ping pkill printf ps pwd readlink realpath rm rmdir sed seq sh sha256sum sleep sort stat tail tar tee test time timeout top touch tr true tty uname uniq uptime vi wc wget which whoami xargs'

/** What images are made of. */
export type BuildContext = Pick<ReleaseContext, 'root' | 'built' | 'version' | 'commit' | 'time'>

export interface AssembleInput {
  readonly spec: ImageSpec
  readonly architecture: Architecture
  /** All packages that may contain a part. */
  readonly debian: readonly DebianPackage[]
  readonly node: NpmPackage
}

/** Puts an image together. Throws if a program would lack a library. */
export async function assemble(
  context: BuildContext,
  { spec, architecture, debian, node }: AssembleInput,
): Promise<Assembled> {
  const available: Tree = new Map(debian.flatMap(({ tree }) => [...tree]))
  const system: Tree = new Map([...available].filter(([path]) => spec.isWanted.test(path)))
  const locked = await lockedPackages(context.root, spec.imports(context.root), architecture)
  const modules = await fetchPackages(locked)
  for (const path of modules.keys()) if (NOT_LOADED.test(path)) modules.delete(path)
  spec.prepare(system, modules)
  const placed: Tree = new Map([...modules].map(([path, entry]) => [`${HOME}/${path}`, entry]))
  const program = await readNode(node, spec.nodeMode)

  const all: Tree = new Map([...system, ...placed, ...program])
  addLibraries(all, available, architecture)
  // Twice, because a licence may be in another package.
  for (const one of usedPackages(all, debian)) addDocumentation(all, available, one)
  const packages = usedPackages(all, debian)
  for (const one of packages) addDocumentation(all, available, one)
  addSystemFiles(all)
  const rest = [...all].filter(([path]) => !placed.has(path) && !program.has(path))
  return {
    layers: [
      { title: 'packages of Debian', entries: entriesOfTree(new Map(rest)) },
      { title: `Node ${node.version}`, entries: entriesOfTree(program) },
      { title: 'packages of npm', entries: entriesOfTree(placed) },
      { title: spec.title, entries: await programEntries(context, spec) },
    ],
    packages,
    modules: locked,
    node,
  }
}

async function readNode(node: NpmPackage, mode: number): Promise<Tree> {
  const tree = await fetchPackages([node])
  const found = (path: string) => {
    const entry = tree.get(`node_modules/${node.name}/${path}`)
    if (!entry || !('content' in entry)) throw new Error(`${node.name} has no ${path}`)
    return entry.content
  }
  return new Map([
    ['usr/local/bin/node', { content: stripSections(found('bin/node')), mode }],
    ['usr/share/doc/node/LICENSE', { content: found('LICENSE') }],
  ])
}

async function programEntries(context: BuildContext, { isProgram }: ImageSpec): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for (const entry of await packageEntries(context)) {
    const path = entry.path.replace(/^package\//, '')
    if (isProgram.test(path)) entries.push({ ...entry, path: `${HOME}/${path}` })
  }
  return withFolders(entries)
}

function usedPackages(all: Tree, debian: readonly DebianPackage[]): DebianPackage[] {
  return debian.filter(({ tree }) => [...tree].some(([path, entry]) => all.get(path) === entry))
}

/** The licence, and the version for scanners. */
function addDocumentation(all: Tree, available: Tree, { name, status }: DebianPackage): void {
  all.set(`var/lib/dpkg/status.d/${name}`, file(status))
  const folder = `usr/share/doc/${name}`
  const link = available.get(folder)
  const actual = link && 'link' in link ? posix.join(posix.dirname(folder), link.link) : folder
  if (link) all.set(folder, link)
  const paths = followLinks(available, `${actual}/copyright`)
  if (!paths) throw new Error(`the package ${name} has no licence`)
  for (const path of paths) {
    const entry = available.get(path)
    if (entry) all.set(path, entry)
  }
}

/** What Debian's scripts would create. */
function addSystemFiles(all: Tree): void {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) all.set(folder, { link: `usr/${folder}` })
  for (const folder of ['dev', 'proc', 'run', 'sys', 'usr/sbin', 'usr/lib64', 'var/lib/dpkg'])
    if (!all.has(folder)) all.set(folder, { folder: true })
  for (const folder of ['tmp', 'var/tmp']) all.set(folder, { folder: true, mode: 0o1777 })
  for (const name of APPLETS.split(' '))
    if (!all.has(`usr/bin/${name}`)) all.set(`usr/bin/${name}`, { link: 'busybox' })
  const authorities = [...all]
    .filter(([path]) => path.endsWith('.crt'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const texts = authorities.map(([, entry]) => ('content' in entry ? entry.content.toString() : ''))
  all.set(BUNDLE, file(texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('')))
  all.set('etc/passwd', file('root:x:0:0::/:/bin/sh\npennant:x:1000:1000::/data:/bin/false\n'))
  all.set('etc/group', file('root:x:0:\npennant:x:1000:\n'))
  all.set('etc/nsswitch.conf', file('hosts: files dns\n'))
}
