import type { ActiveJob, FinishedJob } from '@pennant/contract/admin-bot.ts'
import type { PulledJob } from '@pennant/contract/admin-bot-worker.ts'
import type { z } from 'zod'
import type { ActiveJobRow, BotEndpoint, FinishedJobRow } from './store.ts'
import { LEASE_MS, type PulledJobRow } from './worker-store.ts'

export function activeJob({ id, status, createdAt, queuePosition }: ActiveJobRow): z.input<typeof ActiveJob> {
  // Logs only exist once the job is done, and then it is no longer active.
  return { id, status, createdAt: createdAt.toISOString(), queuePosition, logs: null }
}

export function finishedJob({ id, status, createdAt, hasLogs }: FinishedJobRow): z.input<typeof FinishedJob> {
  return { id, status, createdAt: createdAt.toISOString(), hasLogs }
}

export function pulledJob(row: PulledJobRow): z.input<typeof PulledJob> {
  return {
    id: row.id,
    challengeId: row.challengeId,
    configRevision: row.configRevision,
    userId: row.teamId,
    submittedAt: row.createdAt.toISOString(),
    flag: row.flags[0]?.flag ?? '',
    flags: row.flags.map(({ provider, flag }) => ({ provider, flag })),
    inputs: { ...row.inputs },
    instancerInstances: row.instancerInstances.map(botInstance),
    ...(row.leaseToken !== null && { lease: { token: row.leaseToken, milliseconds: LEASE_MS } }),
  }
}

function botInstance({ type, host, port, title }: BotEndpoint): BotEndpoint {
  return title === undefined ? { type, host, port } : { type, host, port, title }
}
