import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { architectures, type Architecture } from './architectures.ts'
import { readPackage, type DebianFile, type DebianPackage } from './debian.ts'
import { assemble, type Assembled, type BuildContext, type ImageSpec } from './image.ts'
import { debianFiles, nodePackage, type Lock } from './lock.ts'
import { writeLayout, writePlatform, type WrittenPlatform } from './oci.ts'

/** A layer with level 9 takes three times as long and is 1 % smaller. */
const GZIP_LEVEL = 6
/** More at once would not be faster: unpacking needs a core. */
const CONCURRENT_PACKAGES = 4

export interface BuiltImage {
  /** Of the index, which all platforms share. */
  readonly digest: string
  readonly platforms: readonly (Omit<Assembled, 'layers'> & WrittenPlatform)[]
}

export interface BuildOptions {
  readonly spec: ImageSpec
  readonly lock: Lock
  /** The file to write. */
  readonly file: string
  /** The image is loaded as `localhost/<name>:<tag>`. */
  readonly tag: string
  readonly only?: readonly Architecture[]
  readonly gzipLevel?: number
}

/** Writes an image as one file, an OCI layout that engines load. Equal contexts and locks result in equal bytes. */
export async function buildImage(context: BuildContext, options: BuildOptions): Promise<BuiltImage> {
  const { spec, lock, file, tag, only = architectures, gzipLevel = GZIP_LEVEL } = options
  const folder = await mkdtemp(`${file}-`)
  try {
    const platforms: BuiltImage['platforms'][number][] = []
    // One after the other: the files of an architecture are in memory.
    for (const architecture of only) {
      const debian = await readPackages(debianFiles(lock.debian[spec.name][architecture.name]), lock.snapshot)
      const node = nodePackage(lock, architecture)
      const { layers, ...contents } = await assemble(context, { spec, architecture, debian, node })
      const config = { ...spec.config, Labels: labelsOf(context, spec) }
      const platform = { architecture, layers, config }
      platforms.push({
        ...contents,
        ...(await writePlatform(folder, platform, { time: context.time, gzipLevel })),
      })
    }
    const name = `localhost/${spec.name}:${tag}`
    return { digest: await writeLayout(file, folder, { name, platforms, time: context.time }), platforms }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** In the order of the files. */
export async function readPackages(files: readonly DebianFile[], snapshot: string): Promise<DebianPackage[]> {
  const found: DebianPackage[] = []
  const left = files.map((file, index) => ({ file, index })).toReversed()
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      found[next.index] = await readPackage(next.file, snapshot)
  }
  await Promise.all(Array.from({ length: CONCURRENT_PACKAGES }, work))
  return found
}

function labelsOf(
  { root, version, commit, time }: BuildContext,
  { title }: ImageSpec,
): Record<string, string> {
  const { repository, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    license: string
    repository?: string | { url: string }
  }
  const source = typeof repository === 'string' ? repository : repository?.url
  const labels = {
    title,
    version,
    revision: commit,
    created: time.toISOString(),
    licenses: license,
    ...(source ? { source } : {}),
  }
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [`org.opencontainers.image.${key}`, value]),
  )
}
