import { SECOND_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import type { WorldView } from '../../../world/model.ts'
import { readChallenges } from '../../../world/rows.ts'
import { insertAnnouncementRow } from '../announcements/store.ts'
import { dueWaves, isDue, isNamed, openingOf, openingTexts } from './rules.ts'
import { readWaves, waveRows } from './rows.ts'

export interface WaveOpeningDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly log: Log
}

/** Looks at the memory only, so that it can be frequent. */
const EVERY_MS = SECOND_MS

/** A job of the worker: announces the waves that have opened, each once. */
export function waveOpenings({ db, world, now, log }: WaveOpeningDeps) {
  return {
    name: 'announcements of waves',
    everyMs: EVERY_MS,
    async run(): Promise<void> {
      const { startTime } = world()
      for (const { id, name } of dueWaves(world(), now())) {
        const announced = await db.change((tx) => announce(tx, id, { startTime, now: now() }))
        if (announced) log.info({ wave: name }, 'announced a wave')
      }
    },
  }
}

interface Snapshot {
  readonly startTime: number
  readonly now: number
}

/** Returns false if someone has moved, changed or announced it since. Restarts and other replicas see `announced_at`. */
async function announce(tx: ChangeTransaction, id: string, snapshot: Snapshot): Promise<boolean> {
  const [wave] = await readWaves(tx, [id])
  if (!wave || !isDue(wave, snapshot, snapshot.now)) return false
  const members = await tx.query<{ id: string }>(sql`
    select id from challenges where wave_id = ${id} and not hidden`)
  const challenges = await readChallenges(
    tx,
    members.map((each) => each.id),
  )
  const named = challenges
    .filter(isNamed)
    .toSorted((a, b) => a.category.localeCompare(b.category) || a.name.localeCompare(b.name))
  const [row] = await tx.query<{ createdBy: string | null }>(sql`
    select created_by as "createdBy" from waves where id = ${id}`)
  // Without a visible challenge, nothing has opened.
  const announcementId =
    challenges.length === 0
      ? null
      : await insertAnnouncementRow(
          tx,
          {
            ...openingTexts(wave, named),
            severity: 'info',
            audience: { kind: 'all' },
            pinned: false,
            forward: wave.forward,
            publishAt: openingOf(wave, snapshot) ?? snapshot.now,
          },
          row?.createdBy ?? null,
        )
  if (challenges.length > 0 && announcementId === null)
    throw new Error('there are too many announcements; delete old ones, so that waves can be announced')
  await tx.query(sql`
    update waves set announced_at = ${new Date(snapshot.now)}, announcement_id = ${announcementId}, version = version + 1
    where id = ${id}`)
  tx.changed(waveRows, [id])
  return announcementId !== null
}
