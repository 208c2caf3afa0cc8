import { posix } from 'node:path'
import type { Fill } from './gzcli-template.ts'
import { instanceOf, type ContainerSettings } from './instances.ts'
import { NOT_HERE, type Reader } from './reader.ts'
import { inFolder, type ForeignDocument, type Json } from './translation.ts'

interface Wanted {
  readonly document: ForeignDocument
  readonly reader: Reader
  readonly container: Reader
  readonly fill: Fill
}

/** The platforms pass the flag of a team in these variables. */
const FLAG_VARIABLES = ['FLAG', 'GZCTF_FLAG', 'RSCTF_FLAG']

/** The map with `flagTemplate`, which newer documents have outside of `container`. */
export function templateHolder(reader: Reader): Reader {
  return reader.has('flagTemplate') ? reader : reader.map('container')
}

/** The container that GZCTF starts for each team. */
export function instancerOf({ document, reader, container, fill }: Wanted): Json | undefined {
  const image = container.string('containerImage')
  const [port, olderPort] = [container.integer('exposePort'), container.integer('containerExposePort')]
  const [memory, storage, cpus] = ['memoryLimit', 'storageLimit', 'cpuCount'].map((name) =>
    container.integer(name),
  )
  const network = container.string('networkMode') ?? 'Open'
  if (container.boolean('enableTrafficCapture') === true) container.warn('enableTrafficCapture', NOT_HERE)
  const isMinted = templateHolder(reader).has('flagTemplate')
  const app: ContainerSettings = {
    field: 'container',
    // What is built from a folder has no name that an engine could pull.
    image:
      image === undefined || isPath(document, image) ? undefined : fill('container.containerImage', image),
    memory: `${memory ?? 128}m`,
    cpus: String((cpus ?? 1) / 10),
    tmpfs: { '/tmp': `${storage ?? 128}m` },
    hasEgress: network === 'Open',
    ...(isMinted && { environment: Object.fromEntries(FLAG_VARIABLES.map((name) => [name, '$SVC_FLAG'])) }),
  }
  return instanceOf(document, reader, {
    field: 'container',
    containers: { app },
    expose: [
      { container: 'app', field: 'container.exposePort', port: port || olderPort || undefined, kind: 'tcp' },
    ],
  })
}

function isPath({ tree, folder }: ForeignDocument, image: string): boolean {
  if (/^[./]/.test(image)) return true
  const path = posix.normalize(inFolder(folder, image))
  return [...tree.sizes.keys()].some((file) => file === path || file.startsWith(`${path}/`))
}
