import type { Pool, PoolClient } from 'pg'
import { failureOf } from './failures.ts'

/** A connection that responded this recently is used without a check. */
const TRUSTED_MS = 1_000
/** Its timeout bounds what a silent failover costs the first caller after it. */
const CHECK = { text: 'select 1', query_timeout: 2_000 }

export interface Connections {
  /** Throws the driver's error if no connection can be opened. */
  take(): Promise<PoolClient>
  /** Connections that are idle now are closed instead of used. */
  distrust(): void
}

/**
 * Takes responding connections from the pool. After a failover that sends nothing (the host
 * lost its power, a network is cut), idle connections look healthy and each would cost its next user a whole statement
 * timeout. So a connection that was idle for a while runs `select 1` first. If one fails, all that were idle at that
 * moment are closed without another check, because they were most likely lost with it.
 */
export function connectionsOf(pool: Pool): Connections {
  const usedAt = new WeakMap<PoolClient, number>()
  let lostAt = -Infinity
  pool.on('release', (_, client) => usedAt.set(client, performance.now()))

  const isUsable = async (client: PoolClient) => {
    const last = usedAt.get(client)
    if (last === undefined) return true
    if (last <= lostAt) return false
    if (performance.now() - last < TRUSTED_MS) return true
    try {
      await client.query(CHECK)
      return true
    } catch (error) {
      // When it happened is unknown, so connections that were used more recently may be lost too.
      if (failureOf(error) !== error) lostAt = performance.now()
      return false
    }
  }

  return {
    async take() {
      // Bounded by the connections of the pool: each round closes one, and a new one needs no check.
      for (;;) {
        const client = await pool.connect()
        if (await isUsable(client)) return client
        client.release(true)
      }
    },
    distrust: () => void (lostAt = performance.now()),
  }
}
