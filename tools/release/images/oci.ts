import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { tarOf, writeArchive, type ArchiveEntry } from '../archive.ts'
import type { Architecture } from './architectures.ts'

// Image layouts by the OCI's specification. No library is needed: an image is tar files and JSON, named by their digests.

const TYPE = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
}
interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export interface Layer {
  /** What it contains, for the history of the image. */
  readonly title: string
  readonly entries: readonly ArchiveEntry[]
}

/** How containers of the image start, by the names of the specification. */
export type ContainerConfig = Readonly<Record<string, unknown>>

export interface PlatformImage {
  readonly architecture: Architecture
  readonly layers: readonly Layer[]
  readonly config: ContainerConfig
}

export interface WrittenPlatform {
  readonly architecture: Architecture['name']
  readonly manifest: Descriptor
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
  readonly unpackedBytes: number
}

export interface WriteOptions {
  /** The only time in the image. */
  readonly time: Date
  readonly gzipLevel: number
}

/** Writes the blobs of one platform to the folder. */
export async function writePlatform(
  folder: string,
  { architecture, layers, config }: PlatformImage,
  options: WriteOptions,
): Promise<WrittenPlatform> {
  const written = await Promise.all(layers.map(({ entries }) => writeLayer(folder, entries, options)))
  const created = options.time.toISOString()
  const configuration = await writeJson(folder, TYPE.config, {
    created,
    architecture: architecture.name,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: written.map(({ diffId }) => diffId) },
    history: layers.map(({ title }) => ({ created, created_by: title })),
  })
  const descriptors = written.map(({ descriptor }) => descriptor)
  const manifest = await writeJson(folder, TYPE.manifest, {
    schemaVersion: 2,
    mediaType: TYPE.manifest,
    config: configuration,
    layers: descriptors,
  })
  const unpackedBytes = written.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    architecture: architecture.name,
    manifest,
    config: configuration,
    layers: descriptors,
    unpackedBytes,
  }
}

/** Writes the layout with the platforms whose blobs are in the folder as one file, and returns the digest of its index. */
export async function writeLayout(
  file: string,
  folder: string,
  { name, platforms, time }: { name: string; platforms: readonly WrittenPlatform[]; time: Date },
): Promise<string> {
  const index = await writeJson(folder, TYPE.index, {
    schemaVersion: 2,
    mediaType: TYPE.index,
    manifests: platforms.map(({ architecture, manifest }) => ({
      ...manifest,
      platform: { architecture, os: 'linux' },
    })),
  })
  const annotations = { 'org.opencontainers.image.ref.name': name, 'io.containerd.image.name': name }
  const layout = { schemaVersion: 2, mediaType: TYPE.index, manifests: [{ ...index, annotations }] }
  // For Docker before 29, which loads every platform and cannot choose.
  const archives = platforms.map(({ architecture, config, layers }) => ({
    Config: pathOf(config),
    RepoTags: [platforms.length === 1 ? name : `${name}-${architecture}`],
    Layers: layers.map(pathOf),
  }))
  const blobs = (await readdir(folder)).map((blob) => ({
    path: `blobs/sha256/${blob}`,
    file: join(folder, blob),
  }))
  const entries: ArchiveEntry[] = [
    { path: 'oci-layout', content: '{"imageLayoutVersion":"1.0.0"}' },
    { path: 'index.json', content: JSON.stringify(layout) },
    { path: 'manifest.json', content: JSON.stringify(archives) },
    ...blobs,
  ]
  await writeArchive(file, entries, time)
  return index.digest
}

function pathOf({ digest }: Descriptor): string {
  return `blobs/${digest.replace(':', '/')}`
}

async function writeLayer(
  folder: string,
  entries: readonly ArchiveEntry[],
  { time, gzipLevel }: WriteOptions,
) {
  const temporary = join(folder, randomUUID())
  const plain = meter()
  const compressed = meter()
  const gzip = createGzip({ level: gzipLevel })
  await pipeline(tarOf(entries, time), plain.stream, gzip, compressed.stream, createWriteStream(temporary))
  const descriptor = { mediaType: TYPE.layer, digest: compressed.digest(), size: compressed.size() }
  await rename(temporary, join(folder, hexOf(descriptor)))
  return { descriptor, diffId: plain.digest(), sizeBytes: plain.size() }
}

/** Passes bytes through and measures them. */
function meter() {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  return { stream, size: () => size, digest: () => `sha256:${hash.digest('hex')}` }
}

async function writeJson(folder: string, mediaType: string, value: object): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify(value))
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const descriptor = { mediaType, digest, size: bytes.length }
  await writeFile(join(folder, hexOf(descriptor)), bytes)
  return descriptor
}

function hexOf({ digest }: Descriptor): string {
  return digest.slice('sha256:'.length)
}
