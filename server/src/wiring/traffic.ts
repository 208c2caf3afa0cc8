import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { createBodyBudget, type BodyBudget } from '../http/body-budget.ts'
import { createConnectionLimits, type ConnectionLimits, type RefusedConnection } from '../http/connections.ts'
import { createProxyTrust } from '../http/proxy-trust.ts'
import type { Log } from '../lib/log.ts'

/** Limits on the memory and connections of all requests together. */
export interface Traffic {
  readonly bodyBudget: BodyBudget
  readonly connections: ConnectionLimits
}

/** File descriptors reserved for the database, Redis, external services, uploads and the site. */
const RESERVED_FILES = 512

export function createTraffic(
  { http, proxy }: Config,
  log: Log,
  onRefused: (reason: RefusedConnection) => void,
): Traffic {
  const possible = Math.max(openFileLimit() - RESERVED_FILES, 1)
  if (possible < http.maxConnections)
    log.info(
      { possible, configured: http.maxConnections },
      'open file limit is lower than http.maxConnections',
    )
  return {
    bodyBudget: createBodyBudget(http.bodyBudgetBytes),
    connections: createConnectionLimits({
      maxTotal: Math.min(http.maxConnections, possible),
      maxPerAddress: http.maxConnectionsPerAddress,
      isTrustedPeer: createProxyTrust(proxy).isTrustedPeer,
      onRefused,
    }),
  }
}

/** The file descriptor limit of this process. Node raises it to the hard limit at startup. */
function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    // Only Linux has this file.
    return Infinity
  }
}
