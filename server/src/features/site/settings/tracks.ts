import type { Track } from '@pennant/contract/tracks.ts'
import type { z } from 'zod'
import type { TrackSettings } from '../../../world/model.ts'

/** Fields are listed explicitly, so that none of a later version is exposed. */
export function trackView({ id, label, policy, ...switches }: TrackSettings): z.input<typeof Track> {
  const { mayRegister, isRanked, affectsPoints, takesBloods, getsPrizes, namesAgent } = switches
  return { id, label, policy, mayRegister, isRanked, affectsPoints, takesBloods, getsPrizes, namesAgent }
}
