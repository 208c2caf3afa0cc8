import type { Log } from '../lib/log.ts'
import type { Database } from './database.ts'

/** What is not part of the world, but of interest to a team's other browsers. */
export type ReportedKind = 'instances' | 'jobs'

/** Reports that the state of a team's instance or bot job on a challenge has changed. Never rejects. */
export type Report = (owner: { readonly challengeId: string; readonly teamId: string }) => Promise<void>

export function reporter(
  { db, log }: { readonly db: Database; readonly log: Log },
  kind: ReportedKind,
): Report {
  return async ({ challengeId, teamId }) => {
    try {
      await db.change(async (tx) => tx.changed(kind, [challengeId, teamId]))
    } catch (error) {
      // The action itself succeeded, and other browsers poll.
      log.warn({ err: error, kind }, 'a change could not be reported to the live stream')
    }
  }
}
