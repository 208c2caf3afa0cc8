import type { Config } from '../config/config.ts'
import { createBodyBudget, type BodyBudget } from '../http/request/body-budget.ts'
import {
  createConnectionLimits,
  type ConnectionLimits,
  type RefusedConnection,
} from '../http/request/connections.ts'
import { createProxyTrust } from '../http/request/proxy-trust.ts'
import type { Log } from '../lib/log.ts'
import { connectionsWithin, describeFewFiles, FEW_FILES_REMEDY, openFileLimit } from '../lib/open-files.ts'

/** Limits on the memory and connections of all requests together. */
export interface Traffic {
  readonly bodyBudget: BodyBudget
  readonly connections: ConnectionLimits
}

export function createTraffic(
  { http, proxy }: Config,
  onRefused: (reason: RefusedConnection) => void,
): Traffic {
  return {
    bodyBudget: createBodyBudget(http.bodyBudgetBytes),
    connections: createConnectionLimits({
      maxTotal: http.maxConnections,
      maxPerAddress: http.maxConnectionsPerAddress,
      isTrustedPeer: createProxyTrust(proxy).isTrustedPeer,
      onRefused,
    }),
  }
}

/** The configuration with the connections that the open files leave room for. Streams get at most half of those. */
export function withinOpenFiles(config: Config, log: Log): Config {
  const { http } = config
  const problem = describeFewFiles(http.maxConnections)
  if (problem === null) return config
  log.warn({}, `${problem} ${FEW_FILES_REMEDY}`)
  const maxConnections = connectionsWithin(openFileLimit())
  const streams = { ...http.streams, max: Math.min(http.streams.max, Math.ceil(maxConnections / 2)) }
  return { ...config, http: { ...http, maxConnections, streams } }
}
