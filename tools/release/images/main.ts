import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { architectures } from './architectures.ts'
import { buildImage } from './build.ts'
import { pruneCache, UnavailablePackageError } from './debian.ts'
import { debianFiles, readLock, writeLock } from './lock.ts'
import { checkout, resolveLock } from './renew.ts'
import { images } from './specs.ts'

const USAGE = `npm run image -- [pennant|pennant-bot] [--out release] [--renew]

Builds images of this checkout for this machine's architecture, without an engine. Load one with
\`podman load -i FILE\` or \`docker load -i FILE\`.

  --renew   instead replaces the locked packages of Debian and Node with the current ones`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: join(checkout.root, 'release') },
    renew: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const wanted = images.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
if (values.help || wanted.length < positionals.length) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 2
} else if (values.renew) {
  const lock = await resolveLock()
  await writeLock(lock)
  const lines = Object.values(lock.debian).flatMap((platforms) => Object.values(platforms).flat())
  await pruneCache(debianFiles(lines))
} else {
  await mkdir(values.out, { recursive: true })
  for (const spec of wanted) await build(spec, join(values.out, `${spec.name}.oci.tar`))
}

/** With current packages if locked ones have left Debian's mirrors: this image is not released. */
async function build(spec: (typeof images)[number], file: string): Promise<void> {
  const only = architectures.filter(({ cpu }) => cpu === process.arch)
  // Compressed as fast as possible, because an engine unpacks it at once.
  const options = { spec, file, tag: 'latest', only, gzipLevel: 1 }
  try {
    await buildImage(checkout, { ...options, lock: await readLock() })
  } catch (error) {
    if (!(error instanceof UnavailablePackageError)) throw error
    console.error(`${error.message}\nCurrent packages are used instead.`)
    await buildImage(checkout, { ...options, lock: await resolveLock([spec], only) })
  }
  console.log(file)
}
