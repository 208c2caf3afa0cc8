import { looksCut } from '@pennant/contract/flag-text.ts'
import { createGunzip } from 'node:zlib'
import { pipeline, type Readable } from 'node:stream'
import { fromBuffer, type ZipFile } from 'yauzl'
import type { ChallengeValue } from '../../features/organisers/archives/value.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import { findingAt, type LocalChallenge } from './check-translation.ts'

/** A shorter text occurs in files by chance. */
const MIN_FLAG_LENGTH = 5
/** What is read of the unpacked content of a file; an archive may be a bomb. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024
/** A zip archive of at most this size is read, because its directory is at its end. */
const MAX_ZIP_BYTES = 256 * 1024 * 1024
const MAX_ZIP_ENTRIES = 20_000

export interface LintInput {
  readonly tree: DiskTree
  /** The end of the event in Unix milliseconds. */
  readonly endTime: number
}

/** Checks what a single document cannot show. */
export async function lintChallenge(
  { tree, endTime }: LintInput,
  challenge: LocalChallenge,
): Promise<Finding[]> {
  const { value } = challenge
  const findings: Finding[] = []
  const report = (...finding: [string, Pick<Finding, 'level' | 'lint' | 'message'>]) =>
    findings.push(findingAt(challenge, ...finding))
  for (const listed of value.files ?? []) {
    if (!('local' in listed) || !(await containsFlag(tree, listed.local, flagsOf(value)))) continue
    const message = `${listed.name} contains a flag of the challenge`
    report('files', { level: 'error', lint: 'flag-in-file', message })
  }
  if (typeof value.releaseTime === 'number' && value.releaseTime >= endTime) {
    const message = `the release time is not before the end of the event, ${new Date(endTime).toISOString()}`
    report('releaseTime', { level: 'error', lint: 'release-time', message })
  }
  if (
    (value.flags ?? []).some(({ config }) => typeof config['flag'] === 'string' && looksCut(config['flag']))
  ) {
    const message = 'a flag has a { without a }: in YAML, " #" begins a comment; put the flag into quotes'
    report('flags', { level: 'error', lint: 'flag-cut', message })
  }
  for (const image of imagesOf(value.instancer)) {
    if (/@sha256:[0-9a-f]{64}$/.test(image)) continue
    const message = `the image ${image} has no digest (@sha256:…), so it can change during the event`
    report('instancer', { level: 'warning', lint: 'unpinned-image', message })
  }
  return findings
}

/** Texts that are a flag as they are. A pattern is not searched for. */
function flagsOf({ flags = [] }: ChallengeValue): Buffer[] {
  return flags
    .flatMap(({ config }) => [config['flag'], config['base'], config['flagValue']])
    .filter((flag) => typeof flag === 'string' && flag.length >= MIN_FLAG_LENGTH)
    .map((flag) => Buffer.from(String(flag)))
}

function imagesOf(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 20) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'image' && typeof inner === 'string' ? [inner] : imagesOf(inner, depth + 1),
  )
}

/** Also looks into gzip files and the entries of zip archives. */
async function containsFlag(tree: DiskTree, path: string, flags: readonly Buffer[]): Promise<boolean> {
  if (flags.length === 0) return false
  if (await isIn(tree.open(path), flags)) return true
  const head = await headOf(tree, path)
  if (head.startsWith('1f8b')) return await isInGzip(tree.open(path), flags)
  const isZip = head.startsWith('504b0304') && (tree.sizes.get(path) ?? 0) <= MAX_ZIP_BYTES
  return isZip && (await isInZip(tree, path, flags))
}

async function headOf(tree: DiskTree, path: string): Promise<string> {
  for await (const chunk of tree.open(path)) return (chunk as Buffer).subarray(0, 4).toString('hex')
  return ''
}

async function isIn(content: Readable, flags: readonly Buffer[]): Promise<boolean> {
  const overlap = Math.max(...flags.map(({ length }) => length)) - 1
  let rest: Buffer = Buffer.alloc(0)
  let total = 0
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    if (flags.some((flag) => bytes.includes(flag))) return true
    total += (chunk as Buffer).length
    if (total > MAX_UNPACKED_BYTES) return false
    rest = Buffer.from(bytes.subarray(Math.max(0, bytes.length - overlap)))
  }
  return false
}

async function isInGzip(content: Readable, flags: readonly Buffer[]): Promise<boolean> {
  try {
    return await isIn(
      pipeline(content, createGunzip(), () => {}),
      flags,
    )
  } catch {
    // Damaged, or not gzip after all.
    return false
  }
}

async function isInZip(tree: DiskTree, path: string, flags: readonly Buffer[]): Promise<boolean> {
  const read = await tree.read(path)
  if ('problem' in read) return false
  let budget = MAX_ZIP_ENTRIES
  try {
    const zip = await opened(read.content)
    for await (const entry of zip.eachEntry()) {
      if (budget-- <= 0) return false
      if (entry.fileName.endsWith('/') || entry.generalPurposeBitFlag % 2 === 1) continue
      if (await isIn(await zip.openReadStreamPromise(entry), flags)) return true
    }
    return false
  } catch {
    return false
  }
}

function opened(content: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(content, { lazyEntries: true }, (error, zip) => (zip ? resolve(zip) : reject(error)))
  })
}
