import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { npmCommand } from '../../install.mjs'
import { resolvePackages } from './apt.ts'
import { architectures, type Architecture } from './architectures.ts'
import { readPackages } from './build.ts'
import { assemble, type BuildContext, type ImageSpec } from './image.ts'
import { lineOf, nodePackage, type Lock } from './lock.ts'
import { images } from './specs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** An image that is not released. */
export const checkout: BuildContext = {
  root,
  built: root,
  version: 'latest',
  commit: 'uncommitted',
  time: new Date(0),
}
/** The line of Node with long-term support. */
const NODE_LINE = '26'
const DAY_MS = 86_400_000

/** Finds the current versions of everything in the images that is not locked elsewhere. */
export async function resolveLock(wanted = images, platforms = architectures): Promise<Lock> {
  const node = resolveNode()
  // Tomorrow's snapshot has what the mirrors have today.
  const snapshot = new Date(Date.now() + DAY_MS).toISOString().replace(/\.\d+|[-:]/g, '')
  const lock: Lock = { snapshot, node, debian: { pennant: none(), 'pennant-bot': none() } }
  for (const spec of wanted)
    for (const architecture of platforms)
      Object.assign(lock.debian[spec.name], {
        [architecture.name]: await resolveDebian(spec, architecture, lock),
      })
  return lock
}

function none(): Lock['debian'][ImageSpec['name']] {
  return { amd64: [], arm64: [] }
}

/** Only packages of which the image has a file: the others would be downloaded by every build. */
async function resolveDebian(spec: ImageSpec, architecture: Architecture, lock: Lock): Promise<string[]> {
  const files = await resolvePackages(spec.packages, spec.absent, architecture)
  const debian = await readPackages(files, lock.snapshot)
  const node = nodePackage(lock, architecture)
  const { packages } = await assemble(checkout, { spec, architecture, debian, node })
  const used = files.filter((_, index) => packages.some((one) => one === debian[index]))
  return used.toSorted((a, b) => (a.url < b.url ? -1 : 1)).map(lineOf)
}

/** The newest version that exists for every architecture. */
function resolveNode(): Lock['node'] {
  const versions = architectures.map(
    ({ cpu }) => view(`node-linux-${cpu}@${NODE_LINE}`, 'version') as string | string[],
  )
  const [first = [], ...others] = versions.map((found) => (typeof found === 'string' ? [found] : found))
  const version = first.findLast((one) => others.every((list) => list.includes(one)))
  if (version === undefined) throw new Error(`there is no Node ${NODE_LINE} for every architecture`)
  const integrity = architectures.map(({ name, cpu }) => [
    name,
    view(`node-linux-${cpu}@${version}`, 'dist.integrity'),
  ])
  return { version, integrity: Object.fromEntries(integrity) as Lock['node']['integrity'] }
}

function view(spec: string, field: string): unknown {
  const { file, args, shell } = npmCommand()
  const done = spawnSync(file, [...args, 'view', '--json', spec, field], { encoding: 'utf8', shell })
  if (done.status !== 0) throw new Error(`npm does not know ${spec}: ${done.stderr}`)
  return JSON.parse(done.stdout)
}
