import { statfs } from 'node:fs/promises'
import type { SenderWatch } from '../../../http/request/sender-watch.ts'
import type { KeyValue } from '../../../lib/key-value.ts'
import { FEW_FILES_REMEDY } from '../../../lib/open-files.ts'
import { listed, type Finding, type WarningSource } from './warnings.ts'

/** The database stops when the disk is full. A large event writes about this much per hour. */
const LEAST_FREE_BYTES = 1024 ** 3
const GIB = 1024 ** 3

/** Checks the free disk space of the embedded database. */
export function diskSource(folder: string, leastFreeBytes = LEAST_FREE_BYTES): WarningSource {
  return async () => {
    // If the folder is missing, the database itself reports a more severe error.
    const disk = await statfs(folder).catch(() => null)
    const freeBytes = disk ? disk.bavail * disk.bsize : Infinity
    if (freeBytes >= leastFreeBytes) return []
    const free = (freeBytes / GIB).toFixed(1)
    return [{ code: 'diskLow', text: `The database disk has ${free} GiB left.` }]
  }
}

export function openFilesSource(problem: string | null): WarningSource {
  return () => (problem === null ? [] : [{ code: 'fewOpenFiles', text: `${problem} ${FEW_FILES_REMEDY}` }])
}

export function redisSource({ ping }: Pick<KeyValue, 'ping'>): WarningSource {
  return () =>
    ping().then(
      () => [],
      () => [
        {
          code: 'redisUnreachable',
          text: 'Redis is unreachable. Each process keeps its own rate limits, and one-time links fail.',
        },
      ],
    )
}

/** Reports likely errors in `proxy.trust`, based on the senders of requests. */
export function senderSource({ findings }: Pick<SenderWatch, 'findings'>): WarningSource {
  return () => {
    const { untrustedProxies, dominant } = findings()
    const found: Finding[] = []
    if (untrustedProxies.length > 0)
      found.push({
        code: 'proxyNotTrusted',
        text: `Forwarding headers were ignored because the peer is not in \`proxy.trust\`. Add it there if it is your proxy: ${listed(untrustedProxies)}.`,
      })
    if (dominant)
      found.push({
        code: 'oneAddressDominates',
        text: `Most requests come from one address, so they share its rate limits. Check \`proxy.trust\` and that your proxy sets X-Forwarded-For: ${dominant.address} (${dominant.percent}%).`,
      })
    return found
  }
}
