import type { Labels } from './engine-calls.ts'
import type { Volume } from './instance-schema.ts'
import type { ServiceConfig } from './service-config.ts'
import { bytesOf } from './sizes.ts'

// Instances must not fill the host's disk: everything writable is either memory with a size, which counts
// towards `mem_limit`, or a layer limited by the engine.

/** For volumes without a size and for volumes that an image declares. */
const DEFAULT_BYTES = 64 * 1024 * 1024
const PAGE_BYTES = 4096
/** Empty files use kernel memory, too. */
const MAX_INODES = 65_536

const SIZE = /^size=([1-9]\d{0,12}[kmg]?)$/i
const OPTION = /^((no)?exec|nosuid|nodev|noatime|ro|rw|mode=[0-7]{3,4}|(uid|gid)=\d{1,10})$/i

/**
 * The last size in tmpfs options, in bytes; null without one. Infinity for options that no challenge needs.
 */
export function tmpfsSizeOf(options: string): number | null {
  let bytes: number | null = null
  for (const option of options.split(',').filter(Boolean)) {
    const [, size] = SIZE.exec(option) ?? []
    if (size !== undefined) bytes = bytesOf(size.toLowerCase())
    else if (!OPTION.test(option)) return Infinity
  }
  return bytes
}

/** Options of the engine's local driver. */
export function volumeOptions({ driver, driver_opts }: Volume, allowPrivileged: boolean): Labels {
  if (driver === 'nfs') return { type: 'nfs', ...driver_opts }
  if (driver === 'local' && allowPrivileged) return {}
  const written = (driver_opts['o'] ?? '').split(',').filter(Boolean)
  const bytes = tmpfsSizeOf(written.filter((option) => SIZE.test(option)).join(',')) ?? DEFAULT_BYTES
  // Podman interprets `size` as a disk quota, and refuses it.
  const limits = [`nr_blocks=${Math.ceil(bytes / PAGE_BYTES)}`, `nr_inodes=${MAX_INODES}`]
  const o = [...written.filter((option) => !SIZE.test(option)), ...limits, 'nosuid', 'nodev'].join(',')
  return { type: 'tmpfs', device: 'tmpfs', o }
}

/**
 * Mounts tmpfs where the engine would create anonymous volumes on its disk for the image's declared volumes.
 */
export function tmpfsForImage(service: ServiceConfig, declared: readonly string[]): Record<string, string> {
  const covered = new Set([
    ...Object.keys(service.tmpfs).map(withoutSlash),
    ...service.volumes.map((mount) => withoutSlash(mount.split(':')[1] ?? '')),
  ])
  const open = declared.filter((path) => !covered.has(withoutSlash(path)))
  return Object.fromEntries(open.map((path) => [path, `size=${DEFAULT_BYTES},mode=1777,exec,nosuid,nodev`]))
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
