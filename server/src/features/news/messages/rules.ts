import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { MessagesState } from '@pennant/contract/messages.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../../contest/challenges/rules.ts'

/** When teams may write. */
export interface Opening {
  readonly enabled: boolean
  readonly beforeStart: boolean
  readonly afterEnd: boolean
}

export type State = z.output<typeof MessagesState>

/** Which threads an organiser may see and answer: all, or those about challenges. */
export type Scope = 'all' | 'challenges'

/** Null for those who may answer nothing: docs/reference/messages.md#who-answers */
export function scopeOf(perms: number): Scope | null {
  if (!hasPermissions(perms, ['challsRead'])) return null
  if (hasPermissions(perms, ['usersWrite'])) return 'all'
  return hasPermissions(perms, ['challsWrite']) ? 'challenges' : null
}

/** Whether an organiser with these permissions may see and answer the thread. */
export function mayAnswer(perms: number, { challengeId }: { readonly challengeId: string | null }): boolean {
  const scope = scopeOf(perms)
  return scope === 'all' || (scope === 'challenges' && challengeId !== null)
}

/** Whether a team may write now. */
export function stateFor(
  { banned }: { readonly banned: boolean },
  opening: Opening,
  { world, now }: { readonly world: WorldView; readonly now: number },
): State {
  if (banned) return 'banned'
  if (!opening.enabled) return 'off'
  if (now < world.startTime && !opening.beforeStart) return 'before'
  if (now >= world.endTime && !opening.afterEnd) return 'ended'
  return 'open'
}

/** Whether a team may ask about the challenge: one that exists for it now. */
export function mayAskAbout(
  challengeId: string,
  team: { readonly id: string; readonly perms: number },
  { world, now }: { readonly world: WorldView; readonly now: number },
): boolean {
  const isListed = now >= world.startTime || hasPermissions(team.perms, ['challsRead'])
  return isListed && findPublicChallenge(world, challengeId, team) !== null
}
