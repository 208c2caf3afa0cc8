import type { Wave } from '@pennant/contract/waves.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import type { WaveRow } from './rows.ts'

export function waveView(world: WorldView, row: WaveRow): z.input<typeof Wave> {
  const { id, name, openAt, announce, forward, countdown, title, text } = row
  const challenges = world.challenges().filter(({ waveId }) => waveId === id)
  return {
    id,
    name,
    openAt,
    announce,
    forward,
    countdown,
    title,
    text,
    challengeIds: challenges.map((challenge) => challenge.id),
    announcedAt: row.announcedAt,
    announcementId: row.announcementId,
    version: row.version,
    createdAt: row.createdAt,
  }
}
