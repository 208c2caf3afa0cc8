import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { chmodSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Builds the images of deploy/ without a registry. The base images consist of packages installed on this
// machine (by .ci/run), the build stages are outputs of `npm run build` in this checkout.

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT_LIMIT = 64 * 1024 * 1024

/** Not needed at run time: graphics drivers, documentation, translations. */
const LEFT_OUT =
  /^\/usr\/(share\/(doc|man|locale|info)\/|lib\/[^/]+\/(dri\/|libLLVM)|lib\/chromium\/locales\/(?!en-US))/

/** Podman with its own storage folder. */
export interface Podman {
  readonly folder: string
  (...args: readonly string[]): Promise<string>
}

export function podmanIn(folder: string): Podman {
  const settings = join(folder, 'containers.conf')
  writeFileSync(
    settings,
    `[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n[engine.runtimes]\nrunc = ["/usr/sbin/runc"]\n`,
  )
  const storage = [
    '--root',
    join(folder, 'root'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ]
  const call = async (...args: readonly string[]) => {
    const env = { ...process.env, CONTAINERS_CONF: settings }
    const { stdout, stderr } = await run('podman', [...storage, ...args], { env, maxBuffer: OUTPUT_LIMIT })
    // `podman logs` prints the container's standard error to its own standard error.
    return args[0] === 'logs' ? stdout + stderr : stdout
  }
  return Object.assign(call, { folder })
}

export interface ImageSpec {
  readonly tag: string
  /** Path in the repository. */
  readonly containerFile: string
  /** Debian packages of the base images: those that the file installs, and libraries of Node. */
  readonly packages: readonly string[]
  /** Folder that replaces the first stage, the one that builds. */
  readonly built: string
}

/** Builds the stages after the first one of a container file. */
export async function buildImage(podman: Podman, spec: ImageSpec): Promise<void> {
  const { tag, containerFile, packages, built } = spec
  const path = join(root, containerFile)
  const bases = [...readFileSync(path, 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, name]) => name)
  const base = bases.findLast((name) => name !== 'scratch')
  if (base === undefined) throw new Error(`${containerFile} has no base image`)
  await importBase(podman, base, packages)
  const options = `build --pull=never --format docker --network none --tag ${tag} --build-context build=${built}`
  await podman(...options.split(' '), '--file', path, root)
}

async function importBase(podman: Podman, image: string, packages: readonly string[]): Promise<void> {
  const extra = join(podman.folder, 'base')
  writeBaseFiles(extra, packages)
  if (image.includes('/node:')) addNode(extra)
  else writeUsers(extra, [])
  const archive = join(podman.folder, 'base.tar')
  const list = (await listPackageFiles(packages)).map((path) => path.slice(1)).join('\n')
  await tar(['-cf', archive, '-C', '/', '-T', '-'], list)
  await tar(['-rf', archive, '-C', extra, '.'], '')
  await podman('import', archive, image)
}

/** What the official images contain in addition to packages: the usual folders and a package manager. */
function writeBaseFiles(folder: string, packages: readonly string[]): void {
  for (const name of [
    'etc/ssl/certs',
    'usr/local/bin',
    'proc',
    'sys',
    'dev',
    'run',
    'root',
    'tmp',
    'var/tmp',
    'var/lib',
  ])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['tmp', 'var/tmp']) chmodSync(join(folder, name), 0o1777)
  mkdirSync(join(folder, 'var/lib/dpkg/info'), { recursive: true })
  // Written by the packages when they were installed.
  for (const path of ['var/lib/dpkg/status', 'etc/ssl/certs/ca-certificates.crt'])
    if (existsSync(`/${path}`)) copyFileSync(`/${path}`, join(folder, path))
  // The packages are installed already: replaces apt-get, and refuses packages that the base does not have.
  const known = packages.join('|')
  const install = `#!/bin/sh
for name in "$@"; do case $name in update|install|-*|${known}) ;; *) echo "no package $name"; exit 100;; esac; done\n`
  writeFileSync(join(folder, 'usr/local/bin/apt-get'), install, { mode: 0o755 })
}

function addNode(folder: string): void {
  writeUsers(folder, ['node'])
  copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'))
}

/** Users get ids from 1000. */
function writeUsers(folder: string, names: readonly string[]): void {
  const ids = names.map((name, index) => [name, 1000 + index] as const)
  const users = [
    'root:x:0:0::/root:/bin/sh',
    ...ids.map(([name, id]) => `${name}:x:${id}:${id}::/tmp:/bin/sh`),
  ]
  const groups = ['root:x:0:', ...ids.map(([name, id]) => `${name}:x:${id}:`)]
  writeFileSync(join(folder, 'etc/passwd'), `${users.join('\n')}\n`)
  writeFileSync(join(folder, 'etc/group'), `${groups.join('\n')}\n`)
}

async function tar(args: readonly string[], input: string): Promise<void> {
  const child = spawn('tar', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(input)
  const [status] = (await once(child, 'close')) as [number]
  if (status !== 0) throw new Error(`tar ${args.join(' ')}: ${status}`)
}

type Package = Readonly<Record<string, string>>

/** Files and links of packages and of all their dependencies, by real path. */
async function listPackageFiles(names: readonly string[]): Promise<string[]> {
  const { stdout } = await run('dpkg-query', ['--listfiles', ...findDependencies(names)], {
    maxBuffer: OUTPUT_LIMIT,
  })
  const folders = new Map<string, string>()
  const paths = stdout.split('\n').flatMap((path) => {
    const stats = path.startsWith('/') ? lstatSync(path, { throwIfNoEntry: false }) : undefined
    if (!stats || stats.isDirectory()) return []
    const folder = folders.get(dirname(path)) ?? realpathSync(dirname(path))
    folders.set(dirname(path), folder)
    return [join(folder, basename(path))]
  })
  const links = ['/bin', '/sbin', '/lib', '/lib64'].filter((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(),
  )
  return [...new Set([...links, ...paths])].filter((path) => !LEFT_OUT.test(path))
}

/** The names and their dependencies, as installed here. Throws when a name is not installed. */
function findDependencies(names: readonly string[]): string[] {
  const packages = readPackages()
  const provided = new Map<string, string[]>()
  for (const [name, fields] of packages)
    for (const other of namesIn(fields['Provides']))
      provided.set(other, [...(provided.get(other) ?? []), name])
  for (const name of names)
    if (!packages.has(name)) throw new Error(`The package ${name} is not installed: .ci/run installs it.`)
  const essential = [...packages].flatMap(([name, fields]) => (fields['Essential'] === 'yes' ? [name] : []))
  const found = new Set<string>()
  const left = [...names, ...essential]
  // Terminates: each name is visited once.
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const fields = packages.get(name)
    const needed = [...namesIn(fields?.['Depends']), ...namesIn(fields?.['Pre-Depends'])]
    left.push(...needed.flatMap((one) => (packages.has(one) ? [one] : (provided.get(one) ?? []))))
  }
  return [...found]
}

function readPackages(): Map<string, Package> {
  const blocks = readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n')
  const all = blocks.map((block) =>
    Object.fromEntries([...block.matchAll(/^([\w-]+): (.*)$/gm)].map(([, key, value]) => [key, value])),
  ) as Package[]
  return new Map(
    all.flatMap((fields) =>
      fields['Package'] && fields['Status']?.endsWith(' installed') ? [[fields['Package'], fields]] : [],
    ),
  )
}

/** The package names of a dependency field: `a (>= 1) | b, c:any` gives a, b, c. */
function namesIn(text = ''): string[] {
  return text.split(/[,|]/).flatMap((entry) => /^[^\s:(]+/.exec(entry.trim())?.[0] ?? [])
}
